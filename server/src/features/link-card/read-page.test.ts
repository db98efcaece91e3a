import { expect, test } from 'vitest'
import { readPage } from './fetch-card.ts'

const url = 'https://tower.example/news/bells?hour=12'

function read(html: string | Buffer, contentType: string | undefined = 'text/html; charset=utf-8') {
  return readPage(Buffer.from(html), { contentType, url })
}

/** Guarantee: a card shows what a page says about itself, whatever the page looks like. */
test.each([
  [
    'Open Graph before everything else',
    `<title>Tower | News</title><meta name=description content="d"><meta name="twitter:title" content="t">
    <meta property="og:title" content="Bells &amp; &quot;towers&quot;"><meta property="og:description" content="On
    the hour."><meta property="og:image" content="/pictures/bell.jpg?a=1&amp;b=2">`,
    {
      title: 'Bells & "towers"',
      description: 'On the hour.',
      pictureUrl: 'https://tower.example/pictures/bell.jpg?a=1&b=2',
    },
  ],
  [
    'the names in other letters, and in the attribute "name"',
    '<META CONTENT="Bells" NAME="OG:Title"><meta name="og:image" content="//cdn.example/b.png">',
    { title: 'Bells', description: null, pictureUrl: 'https://cdn.example/b.png' },
  ],
  [
    'title and description where there is nothing else',
    '<html><head><title>\n Bells\n &ndash; all of them </title><meta name="description" content=" d ">',
    { title: 'Bells – all of them', description: 'd', pictureUrl: null },
  ],
  [
    'an empty tag does not hide the next one',
    '<meta property="og:title" content="  "><title>Bells</title>',
    { title: 'Bells', description: null, pictureUrl: null },
  ],
  ['no tags', '<h1>Bells</h1>', { title: null, description: null, pictureUrl: null }],
  [
    'tags in scripts, comments, texts and drawings are none',
    `<script>document.write('<meta property="og:title" content="script">')</script><!-- <title>comment</title> -->
    <textarea><title>text</title></textarea><svg><title>drawing</title></svg>`,
    { title: null, description: null, pictureUrl: null },
  ],
  [
    'a page that was cut in the middle of a tag',
    '<meta property="og:title" content="Bells"><meta property="og:description" content="On the',
    { title: 'Bells', description: null, pictureUrl: null },
  ],
  [
    'characters that cannot be stored, and marks that turn what follows',
    '<title>Be\0lls \ud800\u202e gnp.exe</title>',
    { title: 'Be lls � gnp.exe', description: null, pictureUrl: null },
  ],
])('%s', async (_name, html, facts) => {
  expect(await read(html)).toEqual(facts)
})

test.each([
  ['named by the answer', 'text/html; charset=ISO-8859-1', '<title>Glockentürme</title>'],
  ['named by the page', 'text/html', '<meta charset="windows-1252"><title>Glockentürme</title>'],
])('an older encoding, %s', async (_name, contentType, html) => {
  expect(await read(Buffer.from(html, 'latin1'), contentType)).toMatchObject({ title: 'Glockentürme' })
})

test('an encoding that nobody knows is read as UTF-8', async () => {
  expect(await read('<title>Türme</title>', 'text/html; charset=bells')).toMatchObject({ title: 'Türme' })
})

test.each(['application/pdf', 'image/png', 'application/json'])('%s is no page', async (contentType) => {
  expect(await read('<title>Bells</title>', contentType)).toBeNull()
})

/** Guarantee: no page keeps a worker busy. The first takes seconds if nobody stops at some depth, and minutes with a megabyte. */
test.each([
  ['open tags that nobody closes, and closing tags of others', `${'<i>'.repeat(20_000)}${'</b>'.repeat(30_000)}`],
  ['attributes without end', `<meta ${'a=b '.repeat(250_000)}`],
  ['a title without end', `<title>${'bell '.repeat(200_000)}`],
  ['entities without end', `<title>${'&amp;'.repeat(200_000)}`],
  ['spaces without end', `<title>a${' '.repeat(999_000)}b</title>`],
])(
  'a page made to be slow is read at once: %s',
  async (_name, html) => {
    const startedMs = performance.now()
    await read(html)
    expect(performance.now() - startedMs).toBeLessThan(1_500)
  },
  60_000,
)
