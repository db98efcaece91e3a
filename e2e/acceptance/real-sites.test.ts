import { join } from 'node:path'
import { afterAll, beforeAll, describe, test, type TestContext } from 'vitest'
import { makePng } from '../support/files.ts'
import { uploadMedia } from '../support/posts.ts'
import { startGhostSite, startWordpressSite, type RealSite } from '../support/sites/real-sites.ts'
import { sendRequest, textAt } from '../support/send-request.ts'
import { carillon, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

/** What a site must not take for HTML, an entity, a shortcode, a template, an escaped byte or an escape. */
const hostile = 'A "bronze" bell -- <b>1 < 2</b> & &lt; [gallery] {{x}} 50%de C:\\bells 🔔'

const dir = join(testStack.dir, 'real-sites')
const starts = { WordPress: startWordpressSite, Ghost: startGhostSite } as const
type Name = keyof typeof starts
type Connected = { site: RealSite; slug: string } | { missing: string }

/**
 * Both start at the same time. Their tests run one after the other: the first post takes Ghost seconds, and Carillon asks about a slow send only a
 * minute later.
 */
const connected = new Map<Name, Promise<Connected>>()

beforeAll(async () => {
  for (const name of ['WordPress', 'Ghost'] as const) connected.set(name, connect(name))
  await Promise.all(connected.values())
})
afterAll(async () => {
  const sites = await Promise.all(connected.values())
  await Promise.all(sites.map(async (each) => ('site' in each ? each.site.stop() : undefined)))
})

async function connect(name: Name): Promise<Connected> {
  const site = await starts[name](dir)
  if (typeof site === 'string') return { missing: site }
  const { platform, proxy, fields } = site
  const body = { fields, instanceUrl: proxy.url }
  const { data } = await sendRequest('POST', `/integrations/${platform}/password`, { body })
  return { site, slug: textAt(data, 'slug') }
}

async function siteOf(name: Name, skip: TestContext['skip']) {
  const found = await connected.get(name)
  if (!found || 'missing' in found) return skip(found?.missing)
  return found
}

describe.each(['WordPress', 'Ghost'] as const)('a real %s', (name) => {
  test('guarantee: a text is shown as it was written, and its removal takes it from the site', async ({ skip, expect }) => {
    const { site, slug } = await siteOf(name, skip)
    const text = uniqueText(`${hostile}\n\nhttps://example.com/?a=1&b=2`)
    const { uploadId } = await carillon.content.createText({ connections: [slug], text, title: 'Bells & <towers>' })
    const post = await waitUntilFinished(uploadId)
    expect(post).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success', warnings: [] } }] })
    const find = async () => (await site.findPosts()).filter(({ html }) => shownText(html) === text.replaceAll(/\s+/g, ' '))
    const { postId, postUrl } = post.channels[0]?.result ?? {}
    expect(await find()).toMatchObject([{ id: postId, pageUrl: postUrl }])
    const shown = shownText(await readPage(postUrl))
    expect(['Bells & <towers>', ...text.split('\n\n')].filter((line) => !shown.includes(line))).toEqual([])
    const removed = await carillon.content.remove(uploadId, { unpublish: 'true' })
    expect(removed?.channels.map(({ outcome }) => outcome)).toEqual(['removed'])
    expect(await find()).toEqual([])
  })

  test('guarantee: the pictures of a post have their alternative texts on its page', async ({ skip, expect }) => {
    const { slug } = await siteOf(name, skip)
    const medias: string[] = []
    for (const side of [70, 80]) medias.push((await uploadMedia(makePng(side), `bell-${side}.png`)).id)
    const text = uniqueText('two pictures')
    const alts = [`${hostile} first`, `${hostile} second`]
    const mediaOptions = alts.map((alt) => ({ alt }))
    const { uploadId } = await carillon.content.createPhotos({ connections: [slug], text, medias, mediaOptions })
    const post = await waitUntilFinished(uploadId)
    expect(post).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success', warnings: [] } }] })
    const { postUrl } = post.channels[0]?.result ?? {}
    const images = imagesOf(await readPage(postUrl))
    const ours = images.filter(({ src }) => /bell-[78]0/.test(src))
    expect(ours.map(({ alt }) => alt)).toEqual(alts)
    for (const { src } of ours) expect((await fetch(new URL(src, postUrl ?? ''))).headers.get('content-type')).toBe('image/png')
  })

  /** Guarantee: if the response to a request that was carried out is lost, the post is found, and the site has it once. */
  test('a lost response ends with one post', { timeout: 180_000 }, async ({ skip, expect }) => {
    const { site, slug } = await siteOf(name, skip)
    const text = uniqueText('lost')
    site.proxy.loseResponseTo(text)
    const { uploadId } = await carillon.content.createText({ connections: [slug], text })
    const post = await waitUntilFinished(uploadId, 150_000)
    const posts = (await site.findPosts()).filter(({ html }) => shownText(html) === text)
    expect(posts).toHaveLength(1)
    const { id: postId, pageUrl: postUrl } = posts[0] ?? {}
    expect(post.channels[0]?.result).toMatchObject({ status: 'success', postId, postUrl })
    expect(site.proxy.countRequestsWith(text)).toBe(1)
  })
})

async function readPage(url: string | null | undefined): Promise<string> {
  const response = await fetch(url ?? '')
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response.text()
}

/** An attribute may have the signs of a tag in it. */
const tag = /<\/?[a-z!](?:[^>"]|"[^"]*")*>/gi

function imagesOf(page: string): { src: string; alt: string }[] {
  const tags = (page.match(tag) ?? []).filter((each) => each.startsWith('<img'))
  const read = (each: string, name: string) => decodeHtml(new RegExp(`\\s${name}="([^"]*)"`).exec(each)?.[1] ?? '')
  return tags.map((each) => ({ src: read(each, 'src'), alt: read(each, 'alt') }))
}

/** WordPress shows other quotes and dashes than what was written. */
function shownText(html: string): string {
  const text = decodeHtml(html.replaceAll(/<\/p>/g, ' ').replaceAll(tag, ''))
  return text.replaceAll(/[“”″]/g, '"').replaceAll(/[–—]/g, '--').replaceAll(/\s+/g, ' ').trim()
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function decodeHtml(html: string): string {
  return html.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(amp|lt|gt|quot));/gi, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? ''
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
}
