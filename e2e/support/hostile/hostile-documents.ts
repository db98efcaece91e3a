import { deflateSync } from 'node:zlib'
import { compressedZeros, type HostileFile } from './hostile-images.ts'
import { pdfOf } from '../pdf.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Documents with extreme compression, nesting or references to themselves, and one without content. */
export const hostileDocuments: readonly HostileFile[] = [
  ['a PDF whose index unpacks to 2 GB', async () => withIndex(await compressedTwice(2_000_000_000), 2_000_000_000)],
  ['a PDF nested 500,000 deep', () => pdfOf(`<</Type/Catalog/Pages ${'['.repeat(500_000)}${']'.repeat(500_000)}>>`)],
  [
    'a PDF that is its own page tree',
    () => pdfOf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2001>>'),
  ],
  ['a PDF without objects', () => new Uint8Array(Buffer.from('%PDF-1.7\n%%EOF\n'))],
]

/** Documents that are expensive to render but may be harmless. */
export const heavyDocuments: readonly HostileFile[] = [
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

/** Zeros that are compressed twice, each time by a factor of about a thousand. */
async function compressedTwice(bytes: number): Promise<Buffer> {
  return deflateSync(await compressedZeros(bytes))
}

/** A PDF whose cross-reference table is a stream, which a reader must unpack first. */
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
