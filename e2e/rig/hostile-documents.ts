import { deflateSync } from 'node:zlib'
import { pressedZeros, type Hostile } from './hostile-images.ts'
import { pdfOf } from './pdf.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Documents that unpack, nest or repeat without end. */
export const hostileDocuments: readonly Hostile[] = [
  ['a PDF whose index unpacks to 2 GB', async () => withIndex(await pressedTwice(2_000_000_000), 2_000_000_000)],
  ['a PDF nested 500,000 deep', () => pdfOf(`<</Type/Catalog/Pages ${'['.repeat(500_000)}${']'.repeat(500_000)}>>`)],
  [
    'a PDF that is its own page tree',
    () => pdfOf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2001>>'),
  ],
  ['a PDF that says nothing', () => new Uint8Array(Buffer.from('%PDF-1.7\n%%EOF\n'))],
]

/** Hard to draw, and perhaps innocent. */
export const heavyDocuments: readonly Hostile[] = [
  [
    'a PDF of a thousand million pages',
    () => pdfOf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1000000000>>', '<</Type/Page/Parent 2 0 R>>'),
  ],
  [
    'a page of a thousand kilometres',
    () =>
      pdfOf(
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 2834645669 2834645669]>>',
      ),
  ],
]

/** Zeros pressed, and what came of it pressed again: a thousand to one each time. */
async function pressedTwice(bytes: number): Promise<Buffer> {
  return deflateSync(await pressedZeros(bytes))
}

/** The index as a stream, which a reader must unpack before it knows anything else. */
function withIndex(stream: Buffer, entries: number): Bytes {
  const head = `%PDF-1.5\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n`
  const about = `/Type/XRef/Size ${entries}/Root 1 0 R/W[1 2 1]/Filter[/FlateDecode/FlateDecode]/Length ${stream.length}`
  return new Uint8Array(
    Buffer.concat([
      Buffer.from(`${head}2 0 obj<<${about}>>stream\n`, 'latin1'),
      stream,
      Buffer.from(`\nendstream endobj\nstartxref\n${head.length}\n%%EOF\n`, 'latin1'),
    ]),
  )
}
