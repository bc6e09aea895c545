/**
 * Carry out tasks of Reeve: `reeve run -- node worker.mjs`.
 *
 *     import { task, run } from './reeve.mjs';
 *     task('resize_image', async (payload, it) => ({ width: payload.width }));
 *     run({ atOnce: 10 });
 *
 * A function takes the payload and the task, and returns a JSON value or a promise of one.  An exception fails the task; `Final`
 * says that another attempt is of no use, and `Retry` asks for a wait.  One file, no dependencies.
 */
import { createReadStream, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const functions = new Map();

/** The task fails, and another attempt is of no use. */
export class Final extends Error {}

/** The task fails; the next attempt, if a policy allows one, is due after `after` seconds. */
export class Retry extends Error {
    constructor(message = 'retry', after = null) {
        super(message);
        this.after = after;
    }
}

/** Registers the function that does a task type. */
export function task(type, fn) {
    if (functions.has(type)) throw new Error(`two functions do ${type}`);
    functions.set(type, fn);
}

/** Serves tasks until Reeve says stop. */
export async function run({ atOnce = 10 } = {}) {
    if (!process.env.REEVE_PROTOCOL) throw new Error(`start this program with: reeve run -- node ${process.argv[1]}`);
    const out = Number(process.env.REEVE_WRITE_FD);
    const write = (message) => {
        let bytes = Buffer.from(JSON.stringify(message) + '\n');
        while (bytes.length > 0) {
            try {
                bytes = bytes.subarray(writeSync(out, bytes));
            } catch (error) {
                if (error.code !== 'EAGAIN') throw error;
            }
        }
    };
    if (out === 1) console.log = console.info = console.debug = console.error; // --stdio: stdout is the protocol
    const running = new Map();
    const work = async (line) => {
        const it = {
            ...line,
            controller: new AbortController(),
            progress: (value) => write({ id: line.id, progress: value }),
        };
        it.signal = it.controller.signal;
        running.set(it.id, it);
        let answer;
        try {
            const result = await functions.get(it.type)(it.payload, it);
            answer = { id: it.id, result: result === undefined ? null : result };
        } catch (error) {
            answer = { id: it.id, error: String(error?.message ?? error) };
            if (error instanceof Final) answer.final = true;
            else if (error instanceof Retry) answer.retry_after = error.after;
            else console.error(error);
        }
        running.delete(it.id);
        write(answer);
    };
    write({ hello: 1, types: [...functions.keys()], at_once: atOnce });
    const lines = createInterface({ input: createReadStream(null, { fd: Number(process.env.REEVE_READ_FD) }) });
    for await (const text of lines) {
        const message = JSON.parse(text);
        if (message.stop) break;
        if (message.cancel) running.get(message.cancel)?.controller.abort(message.reason);
        else void work(message);
    }
    while (running.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    process.exit(0);
}
