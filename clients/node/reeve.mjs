/**
 * Carry out tasks of Reeve: `reeve run -- node worker.mjs`.
 *
 *     import { task, run } from './reeve.mjs';
 *     task('resize_image', async (payload, it) => ({ width: payload.width }));
 *     run({ atOnce: 10 });
 *
 * A function takes the payload and the task, and returns a JSON value or a promise of one.  An exception fails the task; `Final`
 * says that another attempt is of no use, and `Retry` asks for a wait.  `it.signal` is aborted when the task is cancelled.  One
 * file, no dependencies.
 */
import { createReadStream, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const LINE_BYTES = 1048576; // longest line that Reeve takes
const DEPTH = 2000; // deepest nesting that Reeve takes
const BROKEN = /(?<!\\)(?:\\\\)*\\u(0000|d[89a-f])/; // NUL, or half of a surrogate pair

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

const depth = (value) =>
    value !== null && typeof value === 'object' ? 1 + Object.values(value).reduce((most, it) => Math.max(most, depth(it)), 0) : 0;

/** The line of a message.  Throws if Reeve or PostgreSQL would not take it. */
function encode(message) {
    if ('result' in message && JSON.stringify(message.result) === undefined) throw new TypeError(`it is a ${typeof message.result}`);
    const text = JSON.stringify(message);
    if (BROKEN.test(text)) throw new RangeError('a text has the character NUL or half a character');
    if (/\d{19}/.test(text)) {
        JSON.parse(text, (_, value) => {
            if (typeof value === 'number' && Math.abs(value) >= 2 ** 63 && Math.abs(value) < 1e21) {
                throw new RangeError('a whole number has more than 64 bits');
            }
            return value;
        });
    }
    if (text.length > DEPTH && depth(JSON.parse(text)) > DEPTH) throw new RangeError(`it is nested deeper than ${DEPTH} levels`);
    const bytes = Buffer.from(`${text}\n`);
    if (bytes.length > LINE_BYTES) throw new RangeError(`it has ${bytes.length} bytes, over the limit of 1 MiB`);
    return bytes;
}

/** A text without halves of characters and NUL. */
const clean = (text) => Buffer.from(text.slice(0, 8192)).toString().replaceAll('\0', '\ufffd');

/** Serves tasks until Reeve says stop.  ping: answer pings, so that Reeve replaces this process if it hangs; a function that
 *  computes for a minute without a pause looks as if it did. */
export async function run({ atOnce = 10, ping = false } = {}) {
    if (!process.env.REEVE_PROTOCOL) throw new Error(`start this program with: reeve run -- node ${process.argv[1]}`);
    const out = Number(process.env.REEVE_WRITE_FD);
    const write = (message) => {
        let bytes = encode(message);
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
            answer = { id: it.id, error: clean(String(error?.message ?? error)) };
            if (error instanceof Final) answer.final = true;
            else if (error instanceof Retry) answer.retry_after = error.after;
            else console.error(error);
        }
        running.delete(it.id);
        try {
            write(answer);
        } catch (error) {
            if (error.code) throw error; // the pipe is closed
            write({ id: it.id, error: clean(`the result is not JSON: ${error.message}`), final: true });
        }
    };
    write({ hello: 1, types: [...functions.keys()], at_once: atOnce, ping });
    const lines = createInterface({ input: createReadStream(null, { fd: Number(process.env.REEVE_READ_FD) }) });
    for await (const text of lines) {
        const message = JSON.parse(text);
        if (message.stop) break;
        if (message.ping) write({ pong: message.ping });
        else if (message.cancel) running.get(message.cancel)?.controller.abort(message.reason);
        else void work(message);
    }
    while (running.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    process.exit(0);
}
