import { jsonReply, okReply, startServer, type Reply, type ReceivedRequest } from './start-server.fixture.ts'

export type FileStore = {
  baseUrl: string
  /** The upload attempts of one part, in order. */
  puts: (partNumber: number) => ReceivedRequest[]
  requests: ReceivedRequest[]
  [Symbol.asyncDispose](): Promise<void>
}

/** The part number of an upload request, or null for other requests. */
function partNumberOf({ method, url }: ReceivedRequest): number | null {
  return method === 'PUT' ? Number(url.split('/').at(-1)) : null
}

/** Starts an API and file store for one upload of `count` parts. `faults` are the replies to a part before it is accepted. */
export async function startFileStore(
  partSizeBytes: number,
  count: number,
  faults: Record<number, Reply[]> = {},
): Promise<FileStore> {
  const remainingFaults = new Map(Object.entries(faults).map(([partNumber, replies]) => [Number(partNumber), [...replies]]))
  const server = await startServer((response, request) => {
    const partNumber = partNumberOf(request)
    if (request.url.endsWith('/media/upload')) return jsonReply(201, { success: true, data: { id: 'whole' } })(response, request)
    if (request.url.endsWith('/media/uploads'))
      return okReply({ id: 'u1', partSizeBytes, parts: partUrls(), expiresAt: '' })(response, request)
    if (request.url.endsWith('/media/uploads/u1/complete')) return okReply({ id: 'u1' })(response, request)
    const fault = remainingFaults.get(partNumber ?? 0)?.shift()
    if (fault) return fault(response, request)
    response.writeHead(200, { etag: `"etag-${partNumber}"` }).end()
  })
  const partUrls = () =>
    Array.from({ length: count }, (_, index) => ({ partNumber: index + 1, url: `${server.baseUrl}/store/${index + 1}` }))
  return {
    baseUrl: server.baseUrl,
    requests: server.requests,
    puts: (partNumber) => server.requests.filter((request) => partNumberOf(request) === partNumber),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
