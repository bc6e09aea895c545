// What the node peers share: JSON lines to the parent, commands from it, a fine clock.
import { createInterface } from "node:readline";

export const [mode, options] = [process.argv[2], JSON.parse(process.argv[3])];

/** Resolves when it is written: what is larger than the pipe would be cut off by an exit. */
export const say = (message) => new Promise((resolve) => process.stdout.write(JSON.stringify(message) + "\n", resolve));

/** Seconds since the epoch, with a resolution below a millisecond. */
export const now = () => (performance.timeOrigin + performance.now()) / 1000;

/** Counts what was done: in all, per second, and the delay of jobs that carry their time. */
export class Tally {
  done = 0;
  perSecond = {};
  latencies = [];

  note(payload) {
    const at = now();
    this.done += 1;
    if (payload?.at) this.latencies.push((at - payload.at) * 1000);
    const second = Math.floor(at);
    this.perSecond[second] = (this.perSecond[second] ?? 0) + 1;
  }

  /** Tell the parent how far we are, so that it can say stop; nobody polls the server. */
  reportWhileRunning() {
    let told = -1;
    setInterval(() => {
      if (told !== this.done) say({ done: (told = this.done) });
    }, 10).unref();
  }

  summary() {
    return { total: this.done, per_second: this.perSecond, latencies: this.latencies };
  }
}

/** Resolves when the parent says stop or is gone. */
export const stopped = () =>
  new Promise((resolve) => {
    const input = createInterface({ input: process.stdin });
    input.on("line", (line) => line === "stop" && resolve());
    input.on("close", resolve);
  });
