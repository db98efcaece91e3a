import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, root, runCommand } from '@carillon/stack/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeJpegWithGps } from '../support/files.ts'
import { installSdk, readReadmeProgram, runInstalledProgram, type InstalledSdk } from '../support/programs/install-sdk.ts'
import { openTlsProxy } from '../support/tls-proxy.ts'
import { carillon, findPlatformPosts, testStack } from '../test-stack.ts'

let sdk: InstalledSdk
beforeAll(async () => {
  sdk = await installSdk()
}, 120_000)
afterAll(() => sdk.remove())

/** Guarantee: the program in the README does what the README says, with the SDK as it is published. */
test('the program in the README publishes a photo twice and prints both URLs', async () => {
  const port = await freePort()
  const proxy = await openTlsProxy({
    host: testStack.webhookHost,
    certFile: testStack.webhookTlsCert,
    keyFile: testStack.webhookTlsKey,
    port,
  })
  await writeFile(join(sdk.dir, 'tower.jpg'), await makeJpegWithGps())
  await writeFile(join(sdk.dir, 'program.js'), await readReadmeProgram())
  const beganMs = Date.now()
  const printed = await runInstalledProgram(sdk, 'program.js', {
    CARILLON_URL: testStack.baseUrl,
    CARILLON_KEY: testStack.apiKey,
    CARILLON_WORKSPACE: testStack.workspaceId,
    WEBHOOK_URL: proxy.url,
    PORT: String(port),
  })
  proxy.close()

  const addresses = printed.trim().split('\n')
  expect(addresses).toHaveLength(2)
  const posts = (await findPlatformPosts('The bells at noon')).filter(({ atMs }) => atMs >= beganMs)
  // Some platforms show a post on another host than that of their API, so only the end of the URL is compared.
  expect(posts.map(({ url }) => nameIn(url)).toSorted()).toEqual(addresses.map(nameIn).toSorted())
  expect(new Set(posts.map(({ platform }) => platform)).size).toBe(2)
  const left = await carillon.webhooks.list()
  expect(left.filter(({ url }) => url === proxy.url)).toEqual([])
})

function nameIn(address: string): string {
  return new URL(address).pathname.split('/').at(-1) ?? ''
}

test('the published package contains what it needs, but no sources and no tests', () => {
  expect(sdk.files).toEqual(expect.arrayContaining(['package/README.md', 'package/LICENSE', 'package/dist/index.js']))
  expect(
    sdk.files.filter(
      (name) => !/^package\/(?:package\.json|README\.md|LICENSE|dist\/[\w.-]+(?<!\.(?:test|fixture))\.(?:js|d\.ts))$/.test(name),
    ),
  ).toEqual([])
})

test('its types work in a strict program, and only the intended mistake is reported', async () => {
  const options = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    types: [],
    lib: ['es2022', 'dom', 'dom.iterable'],
  }
  await writeFile(join(sdk.dir, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }))
  const lines = [
    `import { CarillonError, createCarillon, type Post } from '@carillon/sdk'`,
    `const carillon = createCarillon({ baseUrl: 'https://carillon.example/api' })`,
    `for await (const post of carillon.content.iterate()) console.log((post satisfies Post).uploadId.length)`,
    `await carillon.media.uploadFile(new Blob([]), { onProgress: ({ sentBytes }) => sentBytes.toFixed() })`,
    `console.log(new Error() instanceof CarillonError)`,
  ]
  const tsc = () => runCommand(join(root, 'node_modules/.bin/tsc'), ['-p', sdk.dir])
  await writeFile(join(sdk.dir, 'consumer.ts'), lines.join('\n'))
  await tsc()
  await writeFile(join(sdk.dir, 'consumer.ts'), [...lines, `await carillon.content.get(7)`].join('\n'))
  await expect(tsc()).rejects.toThrow(/consumer\.ts\(6,\d+\): error TS2345/)
})
