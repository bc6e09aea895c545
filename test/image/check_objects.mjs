// check_objects.mjs MODULES < objects.json
// Checks objects of Kubernetes against its schemas (npm: kubernetes-models), and refuses fields that the schemas do not have.  The
// validators read each field that they know, so a field that was never read is unknown.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const schemas = { "apps/v1 Deployment": "IoK8sApiAppsV1Deployment", "batch/v1 Job": "IoK8sApiBatchV1Job" };
const problems = [];

// The value, with a record of the fields that are read.  `records` gets one for each object in it.
function watched(value, place, records) {
    if (value === null || typeof value !== "object")
        return value;
    const read = new Set();
    const inner = Array.isArray(value) ? [] : {};
    for (const key of Object.keys(value))
        inner[key] = watched(value[key], `${place}.${key}`, records);
    if (!Array.isArray(value))
        records.push({ place, read, keys: Object.keys(value) });
    return new Proxy(inner, { get(target, key) { read.add(key); return target[key]; } });
}

for (const object of JSON.parse(fs.readFileSync(0, "utf8"))) {
    const name = `${object.apiVersion} ${object.kind}`;
    if (!schemas[name]) {
        problems.push(`${name}: no schema for it in this check`);
        continue;
    }
    const file = path.join(process.argv[2], "kubernetes-models", "_schemas", `${schemas[name]}.mjs`);
    const { validate } = await import(pathToFileURL(path.resolve(file)));
    const records = [];
    if (!validate(watched(object, object.kind, records)))
        problems.push(...validate.errors.map((error) => `${object.kind}${error.instancePath} ${error.message}`));
    for (const { place, read, keys } of records)
        problems.push(...keys.filter((key) => !read.has(key)).map((key) => `${place}: unknown field ${key}`));
}
console.log(problems.join("\n"));
process.exit(problems.length ? 1 : 0);
