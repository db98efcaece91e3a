import { setImmediate as nextTurn } from 'node:timers/promises'
import { MIMEType } from 'node:util'
import { Parser } from 'htmlparser2'

/** What a page says about itself in its tags for previews. */
export type PageFacts = { title: string | null; description: string | null; pictureUrl: string | null }

/** The names of the tags, the best first. What has none of them is described by its `<title>` and `description`. */
const titleNames = ['og:title', 'twitter:title', '<title>']
const descriptionNames = ['og:description', 'twitter:description', 'description']
const pictureNames = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src']
const wanted = new Set([...titleNames, ...descriptionNames, ...pictureNames])

const textMax = 4096
/** No page for people is nested as deeply. The parser compares every closing tag with all open ones, so depth costs time. */
const depthMax = 256
const chunkChars = 16_384
/** Where a page must name its encoding. */
const prologBytes = 1024

/** Reads the tags of a page. Null if the answer is no HTML. The page may be cut, broken or made to be slow to read. */
export async function readPage(
  body: Buffer,
  { contentType, url }: { contentType: string | undefined; url: string },
): Promise<PageFacts | null> {
  const type = parseType(contentType)
  if (type !== null && type.essence !== 'text/html' && type.essence !== 'application/xhtml+xml') return null
  const tags = await readTags(await decode(body, type?.params.get('charset') ?? null))
  const first = (names: readonly string[]) => names.map((name) => cleaned(tags.get(name))).find((text) => text !== null) ?? null
  const pictureUrl = first(pictureNames)
  return {
    title: first(titleNames),
    description: first(descriptionNames),
    pictureUrl: pictureUrl === null ? null : (URL.parse(pictureUrl, url)?.href ?? pictureUrl),
  }
}

function parseType(contentType: string | undefined): MIMEType | null {
  try {
    return contentType === undefined ? null : new MIMEType(contentType)
  } catch {
    return null
  }
}

/** The encoding that the answer names, or else the page itself; UTF-8 if there is none or it is not known. */
async function decode(body: Buffer, named: string | null): Promise<string> {
  const charset = named ?? (await readTags(body.subarray(0, prologBytes).toString('latin1'))).get('charset') ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return body.toString('utf8')
  }
}

/** The first value of each wanted tag. Other work of the process goes on between the parts of a large page. */
async function readTags(html: string): Promise<ReadonlyMap<string, string>> {
  const tags = new Map<string, string>()
  const note = (name: string, value: string | undefined) => {
    if (value !== undefined && !tags.has(name)) tags.set(name, value.slice(0, textMax))
  }
  const open: string[] = []
  let title = ''
  const parser = new Parser({
    onopentag(name, attributes) {
      open.push(name)
      if (name !== 'meta') return
      const { charset, property, name: metaName, content } = attributes
      note('charset', charset)
      for (const key of [property, metaName]) {
        const wantedName = key?.trim().toLowerCase() ?? ''
        if (wanted.has(wantedName)) note(wantedName, content)
      }
    },
    ontext(text) {
      // A drawing has titles too.
      if (open.at(-1) === 'title' && !open.includes('svg') && title.length < textMax) title += text
    },
    onclosetag(name) {
      if (name === 'title' && title !== '') note('<title>', title)
      open.pop()
    },
  })
  for (let at = 0; at < html.length && open.length <= depthMax; at += chunkChars) {
    if (at > 0) await nextTurn()
    parser.write(html.slice(at, at + chunkChars))
  }
  if (title !== '') note('<title>', title)
  return tags
}

/** One line without characters that cannot be stored or that change the direction of what follows; null if nothing is left. */
function cleaned(text: string | undefined): string | null {
  const line = (text ?? '')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  return line === '' ? null : line
}
