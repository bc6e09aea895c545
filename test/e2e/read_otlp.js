// Reads requests of an exporter, one per line on stdin, by OpenTelemetry's own definitions (the package @opentelemetry/otlp-transformer in
// the folder of the argument), and fails if one has a field or a value that they do not know.
const fs = require("fs");
const path = require("path");

const folder = path.join(process.argv[2], "node_modules/@opentelemetry");
const root = require(path.join(folder, "otlp-transformer/build/src/generated/root.js"));
const { parseTraceParent } = require(path.join(folder, "core"));
const Request = root.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
const ids = new Set(["traceId", "spanId", "parentSpanId"]);

// The JSON form of OTLP has ids as hexadecimal digits, where protobuf has bytes.
function withBytes(value) {
  if (Array.isArray(value)) return value.map(withBytes);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, ids.has(key) ? Buffer.from(inner, "hex") : withBytes(inner)]));
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

// Lists that are empty are left out by some, and written by others.
function plain(value) {
  return JSON.stringify(sorted(value), (key, inner) =>
    inner && inner.type === "Buffer" ? Buffer.from(inner.data).toString("hex") : inner instanceof Uint8Array ? Buffer.from(inner).toString("hex") : inner);
}

for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const sent = withBytes(JSON.parse(line));
  const read = Request.toObject(Request.decode(Request.encode(Request.fromObject(sent)).finish()), { longs: String, bytes: Buffer });
  if (plain(read) !== plain(sent)) {
    console.error(`sent ${plain(sent)}\nread ${plain(read)}`);
    process.exit(1);
  }
  for (const group of JSON.parse(line).resourceSpans)
    for (const scoped of group.scopeSpans)
      for (const span of scoped.spans)
        if (!parseTraceParent(`00-${span.traceId}-${span.spanId}-01`)) {
          console.error(`no ids: ${span.traceId} ${span.spanId}`);
          process.exit(1);
        }
}
