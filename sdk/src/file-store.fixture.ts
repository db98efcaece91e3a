import { json, ok, startServer, type Reply, type Seen } from './server.fixture.ts'

export type Store = {
  baseUrl: string
  /** What was sent to each part, attempt after attempt. */
  puts: (partNumber: number) => Seen[]
  seen: Seen[]
  [Symbol.asyncDispose](): Promise<void>
}

/** The number of a part a request is for, or null. */
function partIn({ method, url }: Seen): number | null {
  return method === 'PUT' ? Number(url.split('/').at(-1)) : null
}

/** An upload of `count` parts; `faults` are the answers of a part before it is taken. */
export async function startStore(partSizeBytes: number, count: number, faults: Record<number, Reply[]> = {}): Promise<Store> {
  const left = new Map(Object.entries(faults).map(([partNumber, replies]) => [Number(partNumber), [...replies]]))
  const server = await startServer((response, asked) => {
    const partNumber = partIn(asked)
    if (asked.url.endsWith('/media/upload')) return json(201, { success: true, data: { id: 'whole' } })(response, asked)
    if (asked.url.endsWith('/media/uploads'))
      return ok({ id: 'u1', partSizeBytes, parts: addresses(), expiresAt: '' })(response, asked)
    if (asked.url.endsWith('/media/uploads/u1/complete')) return ok({ id: 'u1' })(response, asked)
    const fault = left.get(partNumber ?? 0)?.shift()
    if (fault) return fault(response, asked)
    response.writeHead(200, { etag: `"etag-${partNumber}"` }).end()
  })
  const addresses = () =>
    Array.from({ length: count }, (_, at) => ({ partNumber: at + 1, url: `${server.baseUrl}/store/${at + 1}` }))
  return {
    baseUrl: server.baseUrl,
    seen: server.seen,
    puts: (partNumber) => server.seen.filter((each) => partIn(each) === partNumber),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
