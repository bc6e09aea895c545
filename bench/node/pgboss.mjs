// pg-boss.  usage: node pgboss.mjs migrate|fill|enqueue|feed|drain|work OPTIONS
// fill: count jobs.  enqueue: as many as it can in some seconds, by 1 or by 100.
// feed: a rate of single sends that carry their time.  drain: two loops of fetch 1000 and
// complete until nothing is left.  work: the same loops until told to stop.
import { PgBoss } from "pg-boss";
import { mode, now, options, say, stopped, Tally } from "./common.mjs";

const QUEUE = "noop";
const boss = new PgBoss({ connectionString: options.url, supervise: false, schedule: false, max: options.clients ?? 4 });
boss.on("error", (error) => console.error(error));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const together = (count, loop) => Promise.all(Array.from({ length: count }, loop));

async function migrate() {
  await boss.createQueue(QUEUE);
}

async function fill() {
  for (let left = options.count; left > 0; left -= 5000) {
    await boss.insert(QUEUE, Array.from({ length: Math.min(left, 5000) }, () => ({ data: {} })));
  }
}

async function enqueue() {
  const start = now();
  const end = start + options.seconds;
  let count = 0;
  await together(options.clients, async () => {
    while (now() < end) {
      if (options.by === 1) await boss.send(QUEUE, {});
      else await boss.insert(QUEUE, Array.from({ length: options.by }, () => ({ data: {} })));
      count += options.by;
    }
  });
  say({ count, seconds: now() - start });
}

/** Single sends at exponential distances, as pgbench does with a rate. */
async function feed() {
  const start = now();
  let at = start;
  const sends = [];
  for (;;) {
    at -= Math.log(1 - Math.random()) / options.rate;
    if (at > start + options.seconds) break;
    const wait = at - now();
    if (wait > 0.001) await pause(wait * 1000);
    sends.push(boss.send(QUEUE, { at: now() }));
  }
  await Promise.all(sends);
  say({ sent: sends.length });
}

async function loops(tally, isOver) {
  await together(2, async () => {
    for (;;) {
      const jobs = await boss.fetch(QUEUE, { batchSize: 1000 });
      for (const job of jobs) tally.note(job.data);
      if (jobs.length) await boss.complete(QUEUE, jobs.map((job) => job.id));
      else if (isOver()) return;
      else await pause(2);
    }
  });
}

async function drain() {
  const tally = new Tally();
  const start = now();
  await loops(tally, () => true);
  await say({ start, end: now(), ...tally.summary() });
}

async function work() {
  const tally = new Tally();
  let over = false;
  stopped().then(() => (over = true));
  tally.reportWhileRunning();
  say({ ready: true });
  const start = now();
  await loops(tally, () => over);
  await say({ start, end: now(), ...tally.summary() });
}

await boss.start();
await { migrate, fill, enqueue, feed, drain, work }[mode]();
process.exit(0);
