/**
 * Enqueue a task of Reeve in the transaction of the application, with node-postgres (pg):
 *
 *     await client.query('begin');
 *     const id = await enqueue(client, 'resize_image', { path: 'a.png' }, { max_attempts: 5 });
 *     await client.query('commit');
 *
 * The task exists if and only if the transaction commits.  Returns its id, as a string.  One file, no dependencies.
 */
const OPTIONS = {
    scheduled_at: 'timestamptz', queue: 'text', priority: 'bigint', dedup_key: 'text', dedup_policy: 'text', max_crashes: 'integer',
    timeout: 'interval', on_in_doubt: 'text', idempotency_key: 'text', max_attempts: 'integer', backoff: 'jsonb',
};

/** Adds a task.  Options are the arguments of queues.enqueue without their underscore. */
export async function enqueue(client, type, payload = {}, options = {}) {
    const values = [type, JSON.stringify(payload)];
    let text = 'select queues.enqueue($1, $2::jsonb';
    for (const [name, value] of Object.entries(options)) {
        if (!Object.hasOwn(OPTIONS, name)) throw new TypeError(`enqueue has no option ${name}`);
        if (value === null || value === undefined) continue;
        values.push(name === 'backoff' ? JSON.stringify(value) : value);
        text += `, _${name} => $${values.length}::${OPTIONS[name]}`;
    }
    const answer = await client.query(`${text}) as task_id`, values);
    return answer.rows[0].task_id;
}
