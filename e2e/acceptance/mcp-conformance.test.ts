import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { type AddressInfo, createServer as createPort } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '@carillon/stack/services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { signInAdmin } from '../support/connect-account.ts'
import { testStack } from '../test-stack.ts'

/**
 * Guarantee: the suite with which the authors of MCP test servers finds nothing in ours, in each version of the protocol that clients use. What it
 * cannot check, because it wants tools of a reference server, is listed with reasons in `mcp-conformance/<version>.yaml`; a change in either
 * direction fails.
 */
const { origin } = new URL(testStack.baseUrl)
const program = join(root, 'e2e/node_modules/@modelcontextprotocol/conformance/dist/index.js')

let dir: string
const proxy = createServer((incoming, response) => {
  const { port } = proxy.address() as AddressInfo
  const { host, origin: from } = incoming.headers
  const headers = {
    ...incoming.headers,
    authorization: `Bearer ${testStack.apiKey}`,
    'x-workspace-id': testStack.workspaceId,
    // As in front of a real server: only its own name becomes that of the service, and every other name arrives as it is.
    ...(host === `127.0.0.1:${port}` && { host: new URL(origin).host }),
    ...(from === `http://127.0.0.1:${port}` && { origin }),
  }
  const outgoing = request(origin + incoming.url, { method: incoming.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => response.destroy())
  incoming.pipe(outgoing)
})

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-conformance-'))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  proxy.close()
  await rm(dir, { recursive: true, force: true })
})

/** Runs the suite. `onOutput` gets everything that it has printed so far. */
function runSuite(args: readonly string[], onOutput?: (text: string) => void): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program, ...args], { cwd: dir })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString()
      onOutput?.(output)
    })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}

/** The suite takes no key, so a proxy adds it. */
describe.concurrent.each(['2025-06-18', '2025-11-25', '2026-07-28'])('the MCP server in the version of %s', (version) => {
  test('conforms', async () => {
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`
    const expected = join(import.meta.dirname, `mcp-conformance/${version}.yaml`)
    const { code, output } = await runSuite([
      'server',
      `--url=${url}`,
      '--suite=all',
      `--spec-version=${version}`,
      `--expected-failures=${expected}`,
    ])
    expect({ code, problem: code === 0 ? '' : output.slice(-6000) }).toEqual({ code: 0, problem: '' })
    expect(output).toMatch(/✓ tools-list: \d+ passed, 0 failed/)
  })
})

describe('the authorization server', () => {
  const freePort = () =>
    new Promise<number>((resolve) => {
      const server = createPort().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo
        server.close(() => resolve(port))
      })
    })

  async function register(redirectUri: string): Promise<string> {
    const response = await fetch(`${origin}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [redirectUri] }),
    })
    return ((await response.json()) as { client_id: string }).client_id
  }

  /** Opens the address that the suite prints, allows, and follows the redirect back to the suite. */
  async function allow(person: Browser, address: string): Promise<void> {
    const { pathname, search } = new URL(address)
    const form = { workspace: testStack.workspaceId, right: 'draft', decision: 'allow' }
    const { location } = await person.press(pathname + search, form)
    await fetch(location ?? '')
  }

  test('conforms, from its metadata to a token', async () => {
    const person = await signInAdmin(testStack.workspaceId)
    const port = await freePort()
    const clientId = await register(`http://127.0.0.1:${port}/callback`)
    let asked = ''
    const { code, output } = await runSuite(
      ['authorization', `--url=${origin}/oauth`, `--client-id=${clientId}`, `--port=${port}`, `--resource=${origin}/mcp`],
      (text) => {
        const address = /^http\S+\/oauth\/authorize\?\S+$/m.exec(text)?.[0]
        if (asked !== '' || address === undefined || !text.includes('Waiting up to')) return
        asked = address
        void allow(person, address)
      },
    )
    expect({ code, problem: code === 0 ? '' : output }).toEqual({ code: 0, problem: '' })
    expect(asked).toContain('code_challenge_method=S256')
    // A scenario that was left out counts as passed.
    expect(output).toMatch(
      /✓ authorization-server-metadata-endpoint: 2 passed, 0 failed\n✓ authorization-code-grant: 1 passed, 0 failed/,
    )
  })
})
