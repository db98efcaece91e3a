import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runCommand } from '@carillon/stack/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMp4, makePng } from '../support/files.ts'
import { readGuideProgram } from '../support/programs/guide-program.ts'
import { installSdk, type InstalledSdk } from '../support/programs/install-sdk.ts'
import { runPython } from '../support/programs/python-program.ts'
import { bluesky, findPlatformPosts, mastodon, testStack, uniqueText, carillon } from '../test-stack.ts'

let folder = ''
let sdk: InstalledSdk
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-programs-'))
  await writeFile(join(folder, 'tower.jpg'), makePng(11))
  sdk = await installSdk()
}, 120_000)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await sdk.remove()
})

const examples = join(root, 'examples/programs')
type Env = Record<string, string>
const run: Record<string, (env: Env) => Promise<string>> = {
  'publish.sh': (env) => runCommand('sh', [join(examples, 'publish.sh')], { cwd: folder, env }),
  'publish.py': (env) => runPython(join(examples, 'publish.py'), { cwd: folder, env }),
  async 'publish.ts'(env) {
    await copyFile(join(examples, 'publish.ts'), join(sdk.dir, 'publish.ts'))
    return runCommand(process.execPath, ['publish.ts'], { cwd: sdk.dir, env: { ...env, FILE: join(folder, 'tower.jpg') } })
  },
}

/** Guarantee: each example does what it says, and run twice, for example after a crash, it makes one post. */
test.each(Object.entries(run))('%s publishes a picture once, and prints a line for each account', async (name, start) => {
  const text = uniqueText(`by ${name}`)
  const env = {
    PATH: process.env['PATH'] ?? '',
    CARILLON_URL: testStack.baseUrl,
    CARILLON_KEY: testStack.apiKey,
    CARILLON_WORKSPACE: testStack.workspaceId,
    ACCOUNTS: `${bluesky} ${mastodon}`,
    FILE: 'tower.jpg',
    TEXT: text,
    KEY: text,
  }
  const printed = await start(env)
  expect(printed.trim().split('\n').toSorted()).toEqual([
    expect.stringMatching(/^bluesky success https?:/),
    expect.stringMatching(/^mastodon success https?:/),
  ])
  expect(await start(env)).toBe(printed)
  const posts = await findPlatformPosts(text)
  expect(posts.map(({ media }) => media.length)).toEqual([1, 1])
})

test('the program in the Python guide publishes a picture, and once if it is run again', async () => {
  await writeFile(join(folder, 'guide.py'), await readGuideProgram('python', 'publish.py'))
  const before = (await findPlatformPosts('The bells at noon, from Python')).length
  const start = () => runPython('guide.py', { cwd: folder, env: { ACCOUNTS: `${bluesky},${mastodon}` } })
  const printed = await start()
  expect(printed.trim().split('\n')).toHaveLength(2)
  expect(await start()).toBe(printed)
  expect((await findPlatformPosts('The bells at noon, from Python')).length).toBe(before + 2)
})

/** Guarantee: a tool that makes videos publishes with one call, learns the result by id, and the post has its AI label. */
test('the adapter for video tools publishes a film once, with its label, and tells why another is refused', async () => {
  const [account = ''] = testStack.videoConnections
  const text = uniqueText('a film')
  await writeFile(join(folder, 'film.mp4'), await makeMp4())
  await copyFile(join(root, 'examples/video-tool-adapter/carillon_publisher.py'), join(folder, 'carillon_publisher.py'))
  const program = `import json, os, time
from pathlib import Path
from carillon_publisher import CarillonPublisher
publisher = CarillonPublisher(os.environ["CARILLON_URL"], os.environ["CARILLON_KEY"], os.environ["CARILLON_WORKSPACE"])
account, text = os.environ["ACCOUNT"], os.environ["TEXT"]
first = publisher.publish(Path("film.mp4"), text, [account], job_id=text)
again = publisher.publish(Path("film.mp4"), text, [account], job_id=text)
refused = publisher.publish(Path("film.mp4"), text, ["nobody-here"])
status = publisher.status(first.id)
end = time.monotonic() + 60
while status.state not in ("completed", "partial_failure", "failed") and time.monotonic() < end:
    time.sleep(0.5)
    status = publisher.status(first.id)
print(json.dumps({"accounts": publisher.accounts(), "ids": [first.id, again.id], "refused": [refused.accepted, refused.error, refused.can_retry], "state": status.state, "urls": status.urls, "problems": status.problems}))`
  await writeFile(join(folder, 'tool.py'), program)
  const printed = JSON.parse(await runPython('tool.py', { cwd: folder, env: { ACCOUNT: account, TEXT: text } }))
  expect(printed).toMatchObject({ state: 'completed', urls: { [account]: expect.stringContaining('http') }, problems: {} })
  expect(printed.accounts).toContain(account)
  expect(printed.ids[1]).toBe(printed.ids[0])
  expect(printed.refused).toEqual([false, expect.stringContaining('nobody-here'), false])
  expect(await carillon.content.get(printed.ids[0])).toMatchObject({ aiGenerated: true })
})
