import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { testStack } from '../test-stack.ts'

type LargeFile = { name: string; head: Uint8Array; zeros: number }

/** Uploads a file without holding all of it in memory: a beginning, followed by zeros. */
export async function uploadLarge({
  name,
  head,
  zeros,
}: LargeFile): Promise<{ status: number; data: { id: string; sizeBytes: number } }> {
  const opening = `--large\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: video/mp4\r\n\r\n`
  const closing = '\r\n--large--\r\n'
  const block = Buffer.alloc(1 << 20)
  const bytes = function* () {
    yield Buffer.from(opening)
    yield head
    for (let left = zeros; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length))
    yield Buffer.from(closing)
  }
  const sending = request(`${testStack.baseUrl}/media/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${testStack.apiKey}`,
      'x-workspace-id': testStack.workspaceId,
      'content-type': 'multipart/form-data; boundary=large',
      'content-length': opening.length + head.length + zeros + closing.length,
    },
  })
  const answered = Promise.withResolvers<{ status: number; body: string }>()
  sending.on('error', answered.reject).on('response', (response) => {
    text(response).then((body) => answered.resolve({ status: response.statusCode ?? 0, body }), answered.reject)
  })
  await pipeline(Readable.from(bytes()), sending)
  const { status, body } = await answered.promise
  return { status, data: JSON.parse(body).data }
}
