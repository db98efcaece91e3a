// A receiver for Carillon that keeps posts as lines of a file. Node 20 or newer, no packages:
//   SECRET=whsec_… PORT=8080 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { SECRET = '', PORT = '8080', FILE = 'posts.jsonl' } = process.env
const base = process.env.PUBLIC_URL ?? `http://127.0.0.1:${PORT}`
const signingKey = SECRET.startsWith('whsec_') ? Buffer.from(SECRET.slice(6), 'base64') : Buffer.from(SECRET)
const declaration = { carillon: 1, name: 'Example in Node', keys: true, text: { max: 5000 }, formats: ['text', 'photo'] }

const posts = new Map() // by id
const works = new Map() // by key: the promise of its response, so that a repeat waits for the first
for (const line of existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n').filter(Boolean) : []) remember(JSON.parse(line))

function remember(post) {
  posts.set(post.id, post)
  works.set(post.key, Promise.resolve(post))
  return post
}

function isSigned({ headers }, body) {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': given = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false
  const wanted = createHmac('sha256', signingKey).update(`${id}.${time}.`).update(body).digest()
  const signatures = given.split(' ').map((each) => Buffer.from(each.replace(/^v1,/, ''), 'base64'))
  return signatures.some((each) => each.length === wanted.length && timingSafeEqual(each, wanted))
}

async function publish(key, { text, media }) {
  const files = []
  for (const { url, alt, mimeType } of media) {
    const bytes = await (await fetch(url)).arrayBuffer() // this is where you would keep the file
    files.push({ alt, mimeType, sizeBytes: bytes.byteLength })
  }
  const post = { id: String(posts.size + 1), key, text, media: files }
  appendFileSync(FILE, `${JSON.stringify(post)}\n`) // the one step that publishes, with the key in it
  return remember(post)
}

const resultOf = ({ id, text, media }) => ({ postId: id, postUrl: `${base}/posts/${id}`, received: { text, media } })

async function answer(request, url, body) {
  if (!isSigned(request, body)) return [401, { code: 'signature_wrong', message: 'The signature is wrong or too old.' }]
  if (request.method === 'GET') {
    if (!url.searchParams.has('key')) return [200, declaration]
    const work = works.get(url.searchParams.get('key'))
    return work ? [200, resultOf(await work)] : [404, { code: 'unknown_key' }]
  }
  const { type, data } = JSON.parse(body)
  if (type !== 'post.publish') return [501, { code: 'unsupported', message: `This receiver does not know ${type}.` }]
  if ([...data.text].length > declaration.text.max) return [422, { code: 'text_too_long' }]
  const key = request.headers['idempotency-key']
  if (!works.has(key)) works.set(key, publish(key, data)) // before anything is published
  // What failed was not published, so its key is free again.
  return works.get(key).then(
    (post) => [200, resultOf(post)],
    () => (works.delete(key), [422, { code: 'file_not_fetched' }]),
  )
}

async function serve(request, response) {
  const body = Buffer.concat(await request.toArray())
  const [status, value] = await answer(request, new URL(request.url, base), body).catch(() => [400, {}])
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

createServer((request, response) => {
  serve(request, response).catch(() => response.destroy())
}).listen(Number(PORT), () => console.log(`listening on port ${PORT}`))
