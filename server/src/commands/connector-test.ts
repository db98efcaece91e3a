import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { connectors, createHttp, type Connector, type Media, type ServerCheck } from '@carillon/connectors'
import { defineCommand } from '../infra/command-line/command.ts'
import { optionalText, requiredText } from '../infra/command-line/option.ts'
import { parseAllow } from '../infra/egress/address.ts'
import { createTransport } from '../infra/egress/transport.ts'
import { StartError } from '../infra/problem/problem.ts'

export const connectorTestCommand = defineCommand({
  details:
    'Sends test posts to a receiver that you wrote, a platform of your own, and says what it keeps of what the guide asks for. It reads the ' +
    'secret from standard input, needs no settings and no database, and removes its posts if the receiver can. The exit code is 1 if ' +
    'anything did not hold; what the receiver does not offer does not count.',
  options: {
    address: requiredText({ placeholder: 'URL', about: 'The address of the receiver.', isWord: true }),
    'own-address': optionalText({
      placeholder: 'URL',
      about:
        'How the receiver reaches this machine, with a free port, for example http://192.168.1.5:8099, to fetch a file from it. Without ' +
        'it, a receiver on this machine is sent a file, and another one is not.',
    }),
  },
  run: async (wanted) => testServer({ address: wanted.address, ownAddress: wanted['own-address'], secret: await readSecret() }),
  present,
  isFailed: ({ checks }) => checks.some(({ state }) => state === 'failed'),
})

type Wanted = { address: string; ownAddress: string | null; secret: string }

/** Tries a server with the connector that people write servers for. */
export async function testServer({ address, ownAddress, secret }: Wanted): Promise<{ checks: ServerCheck[] }> {
  const connector = Object.values<Connector>(connectors).find(({ tryServer }) => tryServer !== undefined)
  const url = URL.parse(address)
  if (!connector?.tryServer || !url || !/^https?:$/.test(url.protocol))
    throw new StartError(`"${address}" is no address. Give it as https://intranet.example/posts.`)
  if (secret === '') throw new StartError('The secret is missing. Write it to standard input.')
  // The person at this command line chose the address, so no network is closed to it.
  const transport = createTransport({ allow: parseAllow(['0.0.0.0/0', '::/0']), connectionsMax: 4 })
  const isHere = /^(?:127\.|localhost$|\[::1\]$)/.test(url.hostname)
  const files = isHere || ownAddress !== null ? await serveFile(ownAddress) : null
  try {
    const { classify, attach } = connector
    const origin = url.origin + url.pathname
    const http = createHttp({ transport, origin, credentials: null, classify, attach, nowMs: Date.now })
    const checks: ServerCheck[] = []
    for await (const check of connector.tryServer(http, { secret, newKey: randomUUID, file: files?.file ?? null }))
      checks.push(check)
    return { checks }
  } finally {
    files?.close()
    await transport.close()
  }
}

/** A grey square of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

/** Serves a file for the receiver to fetch, at an address that nobody can guess. */
async function serveFile(ownAddress: string | null): Promise<{ file: Media; close(): void }> {
  const path = `/${randomUUID()}.png`
  const server = createServer((request, response) => {
    const isKnown = request.url?.endsWith(path) === true
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'image/png' }).end(isKnown ? pixel : undefined)
  })
  const own = ownAddress === null ? null : URL.parse(ownAddress)
  if (ownAddress !== null && !own) throw new StartError(`"${ownAddress}" is no address. Give it as http://192.168.1.5:8099.`)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(own?.port ?? 0), own ? undefined : '127.0.0.1', resolve)
  })
  const base = own?.origin ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const file: Media = {
    kind: 'image',
    name: 'carillon-test.png',
    mimeType: 'image/png',
    sizeBytes: pixel.length,
    width: 1,
    height: 1,
    durationSeconds: null,
    alt: '',
    read: async () => pixel,
    stream: async (fromByte = 0) => new Blob([new Uint8Array(pixel.subarray(fromByte))]).stream(),
    url: async () => base + path,
  }
  return {
    file,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function readSecret(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim()
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const secret = await lines.question('Secret: ')
  lines.close()
  return secret.trim()
}

const marks = { held: 'ok  ', failed: 'FAIL', untold: '-   ' } as const

function present({ checks }: { checks: readonly ServerCheck[] }): string {
  const width = Math.max(...checks.map(({ name }) => name.length)) + 2
  const lines = checks.map(({ name, state, said }) => `${marks[state]}  ${name.padEnd(width)}${said}`.trimEnd())
  const count = (wanted: ServerCheck['state']) => checks.filter(({ state }) => state === wanted).length
  return [...lines, '', `${count('failed')} failed, ${count('held')} held, ${count('untold')} not offered or not shown.`].join(
    '\n',
  )
}
