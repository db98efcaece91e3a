import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { Type, type TSchema, type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { VisiblePost, TestPlatform } from '../src/kit/conformance/test-platform.ts'
import { transport } from './transport.ts'

const main = new URL('../../simulator/src/main.ts', import.meta.url).pathname

const Connected = Type.Object({
  account: Type.Object({ id: Type.String(), handle: Type.String() }),
  credentials: Type.Object({
    accessToken: Type.String(),
    refreshToken: Type.Optional(Type.String()),
    expiresAtMs: Type.Optional(Type.Number()),
    extra: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
})
const Tag = Type.Object({
  username: Type.String(),
  x: Type.Optional(Type.Number()),
  y: Type.Optional(Type.Number()),
})
const Posts = Type.Array(
  Type.Object({
    id: Type.String(),
    text: Type.String(),
    replyTo: Type.Union([Type.String(), Type.Null()]),
    deleted: Type.Boolean(),
    media: Type.Array(Type.Object({ alt: Type.String(), mime: Type.String(), tags: Type.Array(Tag) })),
    link: Type.Union([
      Type.Object({
        url: Type.String(),
        title: Type.Optional(Type.String()),
        description: Type.Optional(Type.String()),
        picture: Type.Optional(Type.String()),
      }),
      Type.Null(),
    ]),
    options: Type.Record(Type.String(), Type.String()),
  }),
)

// Every platform accepts JPEG. This is a photo of one pixel.
const onePixelJpeg =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSEx' +
  'IQEw8QEBD/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q=='

const files = {
  image: { name: 'bell.jpg', mimeType: 'image/jpeg', bytes: Buffer.from(onePixelJpeg, 'base64') },
  // The first box of an MP4 file, followed by zeros.
  video: {
    name: 'bell.mp4',
    mimeType: 'video/mp4',
    bytes: Buffer.concat([Buffer.from('00000018667479706d703432000000006d7034326d703431', 'hex'), Buffer.alloc(100_000)]),
  },
  document: { name: 'bells.pdf', mimeType: 'application/pdf', bytes: Buffer.from('%PDF-1.7\n%%EOF\n') },
}

const realWaitMs = 20

const figures = { likes: 3, comments: 5, shares: 7, impressions: 110, clicks: 13, saves: 17 }

type Options = {
  handleOf?: (name: string) => string
  settings?: Record<string, unknown>
  showsAlt?: boolean
  paragraphMax?: number
  listsTexts?: boolean
  fieldsOf?: TestPlatform['fieldsOf']
  /** What is in front of the platform refuses connections, not single calls. */
  isFilteredOnOpening?: boolean
}

const withPassword: TestPlatform['fieldsOf'] = ({ account, credentials }) => ({
  identifier: account.handle,
  password: credentials.extra?.password ?? '',
})

/** A test platform on the simulator, which runs as its own process and shares no code with the connectors. */
export function simulate(
  platform: string,
  {
    handleOf = (name) => name,
    settings = {},
    showsAlt = true,
    paragraphMax,
    listsTexts = true,
    fieldsOf = withPassword,
    isFilteredOnOpening = false,
  }: Options = {},
): TestPlatform & { change(settings: Record<string, unknown>): Promise<void> } {
  let child: ChildProcess | undefined
  let url = ''
  let mediaUrl = ''
  let aheadMs = 0
  // Platforms that fetch media themselves fetch it from this server.
  const mediaServer = createServer(({ url: path }, response) => {
    const { mimeType, bytes } = Object.values(files).find(({ name }) => path === `/${name}`) ?? files.image
    response.writeHead(200, { 'content-type': mimeType }).end(bytes)
  })
  const fileOf = (kind: keyof typeof files) => ({ ...files[kind], url: () => `${mediaUrl}/${files[kind].name}` })

  const control = async <Schema extends TSchema>(
    method: string,
    path: string,
    returns: Schema,
    body?: unknown,
  ): Promise<Static<Schema>> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/_control${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok || !Value.Check(returns, answer))
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }

  return {
    transport,
    origin: () => `${url}/${platform}`,
    app: { clientId: 'carillon-test', clientSecret: 'carillon-test-secret' },
    files: { image: fileOf('image'), video: fileOf('video'), document: fileOf('document') },
    settings,
    showsAlt,
    paragraphMax: paragraphMax ?? null,
    listsTexts,
    fieldsOf,

    connect: (name) => control('POST', '/accounts', Connected, { platform, handle: handleOf(name) }),
    async authorize(address, name) {
      const consent = new URL(address)
      consent.searchParams.set('auto', '1')
      consent.searchParams.set('handle', handleOf(name))
      const response = await fetch(consent, { redirect: 'manual' })
      return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
    },
    async failNext(handle, operation, fault) {
      const isPage = fault.kind === 'status' && fault.body !== undefined
      const target = isPage && isFilteredOnOpening ? { operation: 'other' } : { handle, operation }
      await control('POST', '/faults', Type.Unknown(), { platform, ...target, times: 1, fault })
    },
    async expireToken(handle) {
      await control('POST', '/tokens/expire', Type.Unknown(), { platform, handle })
    },
    async count(id) {
      await control('POST', '/figures', Type.Unknown(), { platform, id, ...figures })
    },
    posts: (handle): Promise<VisiblePost[]> => control('GET', `/posts?${new URLSearchParams({ platform, handle })}`, Posts),

    async change(changed) {
      await control('POST', '/settings', Type.Unknown(), { platform, ...changed })
    },
    nowMs: () => Date.now() + aheadMs,
    async wait(ms) {
      // A file that the platform fetches takes real time.
      await wait(realWaitMs)
      await control('POST', '/clock', Type.Unknown(), { advanceMs: ms })
      aheadMs += ms
    },

    async start() {
      child = spawn(process.execPath, [main, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
      url = await readUrl(child)
      mediaUrl = await listen(mediaServer)
    },
    async stop() {
      child?.kill()
      mediaServer.close()
    },
  }
}

async function readUrl({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The simulator has no output to read.')
  for await (const line of createInterface({ input: stdout })) {
    const [url] = /https?:\/\/\S+/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('The simulator exited before it was ready.')
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The media server has no port.')
  return `http://127.0.0.1:${address.port}`
}
