// graphile-worker.  usage: node graphile.mjs migrate|work OPTIONS
// migrate: makes its schema.  work: runs the no-op task until told to stop.
// options: url, fast (localQueue of 500 and batched completion, as its documentation measures).
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { mode, now, options, say, stopped, Tally } from "./common.mjs";

const quiet = new Logger(() => () => {});

async function migrate() {
  const utils = await makeWorkerUtils({ connectionString: options.url, logger: quiet });
  await utils.migrate();
  await utils.release();
}

async function work() {
  const tally = new Tally();
  const stop = stopped();
  const fast = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
  const start = now();
  const runner = await run({
    logger: quiet,
    preset: {
      worker: { connectionString: options.url, concurrentJobs: 24, maxPoolSize: 25, ...(options.fast ? fast : {}) },
    },
    noHandleSignals: true,
    taskList: { noop: async (payload) => tally.note(payload) },
  });
  tally.reportWhileRunning();
  say({ ready: true });
  await stop;
  await runner.stop(); // completes what was batched
  await say({ start, end: now(), ...tally.summary() });
}

await { migrate, work }[mode]();
process.exit(0);
