// Drains no-op jobs with graphile-worker in its default configuration (concurrency 24).
// usage: node graphile.mjs CONNECTION_STRING JOBS
import { makeWorkerUtils, run } from "graphile-worker";

const [connectionString, count] = [process.argv[2], Number(process.argv[3])];
const utils = await makeWorkerUtils({ connectionString });
await utils.migrate();
await utils.withPgClient((client) =>
  client.query(
    `select graphile_worker.add_jobs(array(select row('noop', '{}'::json, null::text, null::timestamptz,
       null::smallint, null::text, null::smallint, null::text[])::graphile_worker.job_spec from generate_series(1, $1::int)))`,
    [count],
  ),
);
let done = 0;
const start = process.hrtime.bigint();
await new Promise((resolve, reject) => {
  run({
    connectionString,
    concurrency: 24,
    noHandleSignals: true,
    taskList: {
      noop: async () => {
        done += 1;
        if (done === count) resolve();
      },
    },
  }).then((runner) => runner.promise.catch(reject), reject);
});
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
console.log(JSON.stringify({ jobs: done, seconds, rate: done / seconds, rss_mb: process.memoryUsage().rss / 1048576 }));
process.exit(0);
