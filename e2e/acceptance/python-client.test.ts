import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeMp4, makePng, padMp4 } from '../support/files.ts'
import { runPython } from '../support/programs/python-program.ts'
import { startLine } from '../support/programs/start-line.ts'
import { useWebhookReceiver } from '../support/webhook-receiver.ts'
import { bluesky, carillon, findPlatformPosts, mastodon, textConnections, timeAfter, uniqueText } from '../test-stack.ts'

const receiver = useWebhookReceiver()
const start = `import json, os
from pathlib import Path
from carillon import Carillon, CarillonError, WebhookVerificationError, verify_webhook
carillon = Carillon(os.environ["CARILLON_URL"], os.environ["CARILLON_KEY"], os.environ["CARILLON_WORKSPACE"], retry_delay=0.05)
given = json.loads(os.environ["GIVEN"])
`

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-python-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a program that has the client as `carillon` and these values as `given`, and gives what it prints as JSON. */
async function run<Printed>(program: string, given: object, env: Record<string, string> = {}): Promise<Printed> {
  const file = join(folder, 'program.py')
  await writeFile(file, `${start}${program}`)
  return JSON.parse(await runPython(file, { cwd: folder, env: { ...env, GIVEN: JSON.stringify(given) } })) as Printed
}

type Finished = { status: string; channels: { connection: string; result: { status: string; postUrl: string } }[] }

/** Guarantee: a program in Python publishes as one with the SDK does: on time, once, and it learns what happened. */
describe('posts', () => {
  test('a text is published on every account, and the program waits for each result', async () => {
    const text = uniqueText('from Python 🔔')
    const program = `
post = carillon.content.create_text({"connections": given["connections"], "text": given["text"]})
print(json.dumps(carillon.content.wait_until_finished(post["uploadId"], timeout=40)))`
    const { status, channels } = await run<Finished>(program, { connections: textConnections, text })
    expect({ status, accounts: channels.map(({ connection }) => connection).toSorted() }).toEqual({
      status: 'completed',
      accounts: textConnections.toSorted(),
    })
    expect(await findPlatformPosts(text)).toHaveLength(textConnections.length)
  })

  test('a post is scheduled, found in the list, rescheduled and removed', async () => {
    const text = uniqueText('scheduled')
    const program = `
post = carillon.content.create_text({"connections": [given["account"]], "text": given["text"], "scheduledAt": given["at"]}, idempotency_key=given["text"])
again = carillon.content.create_text({"connections": [given["account"]], "text": given["text"], "scheduledAt": given["at"]}, idempotency_key=given["text"])
found = [each["uploadId"] for each in carillon.content.iterate({"search": given["text"], "limit": 1})]
carillon.content.reschedule(post["uploadId"], {"scheduledAt": given["later"]})
at = carillon.content.get(post["uploadId"])["scheduledAt"]
carillon.content.remove(post["uploadId"])
left = list(carillon.content.iterate({"search": given["text"]}))
print(json.dumps({"ids": [post["uploadId"], again["uploadId"]], "found": found, "at": at, "left": left}))`
    const [at, later] = [timeAfter(3_600_000), timeAfter(7_200_000)]
    const { ids, ...rest } = await run<{ ids: string[] }>(program, { account: bluesky, text, at, later })
    expect(rest).toEqual({ found: [ids[0]], at: later, left: [] })
    expect(ids[1]).toBe(ids[0])
  })

  test('a photo and a large film go from the disk into a post', async () => {
    await writeFile(join(folder, 'tower.png'), makePng(7))
    const film = padMp4(await makeMp4(), 20_000_000)
    await writeFile(join(folder, 'long.mp4'), film)
    const [text, next] = [uniqueText('a picture'), uniqueText('the post after it')]
    const program = `
seen = []
media = carillon.media.upload_file(Path("long.mp4"), on_progress=lambda progress: seen.append(progress.sent_bytes))
post = carillon.content.create_photos({"connections": given["connections"], "text": given["text"], "medias": [Path("tower.png")], "mediaOptions": [{"alt": "The tower at dawn"}], "thread": [{"text": given["next"]}]})
result = carillon.content.wait_until_finished(post["uploadId"], timeout=40)
carillon.media.remove(media["id"])
print(json.dumps({"status": result["status"], "sizeBytes": media["sizeBytes"], "name": media["name"], "seen": seen}))`
    const { seen, ...rest } = await run<{ seen: number[] }>(program, { connections: [bluesky, mastodon], text, next })
    expect(rest).toEqual({ status: 'completed', sizeBytes: film.length, name: 'long.mp4' })
    expect([seen, seen.at(-1)]).toEqual([seen.toSorted((a, b) => a - b), film.length])
    expect(seen.length).toBeGreaterThan(1)
    const posts = await findPlatformPosts(text)
    expect(posts.map(({ media }) => media.length)).toEqual([1, 1])
    expect(await findPlatformPosts(next)).toHaveLength(2)
  })
})

/** Guarantee: nothing is posted twice because a response was lost. */
test('a lost response is repeated with the same key, also by the next process, and there is one post', async () => {
  const text = uniqueText('lost')
  const line = await startLine()
  const program = `
try:
    post = carillon.content.create_text({"connections": [given["account"]], "text": given["text"]}, idempotency_key=given["text"])
    carillon.content.wait_until_finished(post["uploadId"], timeout=40)
    print(json.dumps({"code": None}))
except CarillonError as error:
    print(json.dumps({"code": error.code, "status": error.status, "retryable": error.retryable}))`
  try {
    line.mode = 'lossy'
    const env = { CARILLON_URL: `${line.url}/api` }
    expect(await run(program, { account: bluesky, text }, env)).toEqual({ code: 'connection_failed', status: 0, retryable: true })
    expect(line.lost).toBe(4)
    line.mode = 'open'
    expect(await run(program, { account: bluesky, text }, env)).toEqual({ code: null })
  } finally {
    line.close()
  }
  expect(await findPlatformPosts(text)).toHaveLength(1)
  expect((await carillon.content.list({ search: text })).meta.total).toBe(1)
})

/** Guarantee: a program learns why it was refused and what to do, without reading sentences. */
test('a refused post is an error with its code, its field and its page', async () => {
  const program = `
errors = []
for call in (
    lambda: carillon.content.create_text({"connections": [given["account"]], "text": "a" * 20000}),
    lambda: carillon.content.get("000000000000000000000000"),
    lambda: Carillon(os.environ["CARILLON_URL"], "sk_wrong", os.environ["CARILLON_WORKSPACE"]).labels.list(),
    lambda: Carillon(os.environ["CARILLON_URL"].removesuffix("/api"), "sk_wrong", os.environ["CARILLON_WORKSPACE"]).labels.list(),
):
    try:
        call()
    except CarillonError as error:
        errors.append({"code": error.code, "status": error.status, "action": error.action, "details": len(error.details), "docUrl": error.doc_url, "hasTrace": bool(error.trace_id)})
print(json.dumps(errors))`
  const errors = await run<{ code: string; docUrl: string }[]>(program, { account: bluesky })
  expect(errors).toMatchObject([
    { code: 'post_invalid', status: 422, action: 'fix_request', hasTrace: true },
    { code: 'post_not_found', status: 404, hasTrace: true },
    { code: 'api_key_invalid', status: 401, hasTrace: true },
    { code: 'route_not_found', status: 404 },
  ])
  for (const { code, docUrl } of errors.slice(0, 3)) expect(docUrl).toContain(code)
})

/** Guarantee: what the service signs is accepted in Python, also during a rotation, and nothing else is. */
test('a delivery is verified with the secret of before and after a rotation, and a changed one is refused', async () => {
  const path = `/python-${uniqueText('').trim()}`
  const hook = await carillon.webhooks.create({ url: receiver.url(path), events: ['webhook.test'] })
  const { secret } = await carillon.webhooks.rotateSecret(hook.id)
  await carillon.webhooks.test(hook.id)
  const { headers, body } = await receiver.waitFor(path, () => true)
  const program = `
results = []
for secret, body in [*((each, given["body"]) for each in given["secrets"]), (given["secrets"][0], given["body"] + " ")]:
    try:
        results.append(verify_webhook(body.encode(), given["headers"], secret)["event"])
    except WebhookVerificationError as error:
        results.append(error.reason)
print(json.dumps(results))`
  const secrets = [secret, hook.secret, 'whsec_AAAA']
  const results = await run(program, { headers, body, secrets })
  expect(results).toEqual(['webhook.test', 'webhook.test', 'signature_wrong', 'signature_wrong'])
  await carillon.webhooks.remove(hook.id)
})
