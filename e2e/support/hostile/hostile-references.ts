import { pdfOf } from '../pdf.ts'
import type { HostileFile } from './hostile-images.ts'

const textBytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))

/** One box of an MP4 file. */
function box(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** A video whose pictures are said to be in another file, which an index may name by its path. */
function makeVideoOf(path: string): Uint8Array<ArrayBuffer> {
  const full = (...content: Buffer[]) => [Buffer.alloc(4), ...content]
  const numbers = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from([0, 0, 0, value])))
  const reference = box('dref', ...full(numbers(1), box('url ', Buffer.alloc(4), Buffer.from(`file://${path}\0`))))
  const handler = box('hdlr', ...full(Buffer.alloc(4), Buffer.from('vide'), Buffer.alloc(13)))
  const entry = box('rawv', Buffer.alloc(6), Buffer.from([0, 1]), Buffer.alloc(16), Buffer.from([0, 64, 0, 64]), Buffer.alloc(50))
  const samples = box(
    'stbl',
    box('stsd', ...full(numbers(1), entry)),
    box('stts', ...full(numbers(1, 1, 1))),
    box('stsc', ...full(numbers(1, 1, 1, 1))),
    box('stsz', ...full(numbers(200, 1))),
    box('stco', ...full(numbers(1, 0))),
  )
  const media = box('minf', box('vmhd', ...full(Buffer.alloc(8))), box('dinf', reference), samples)
  const mediaHead = box('mdhd', ...full(Buffer.alloc(8), numbers(1, 1), Buffer.alloc(4)))
  const trackHead = box('tkhd', Buffer.from([0, 0, 0, 3]), Buffer.alloc(8), numbers(1), Buffer.alloc(68))
  const movieHead = box('mvhd', ...full(Buffer.alloc(8), numbers(1, 1), Buffer.alloc(80)))
  const movie = box('moov', movieHead, box('trak', trackHead, box('mdia', mediaHead, handler, media)))
  return new Uint8Array(Buffer.concat([box('ftyp', Buffer.from('qt  \0\0\0\0qt  ')), movie]))
}

/** Files that try to make their reader open this path or call this URL. */
export function hostileReferences(path: string, url: string): readonly HostileFile[] {
  return [
    [
      'an HLS playlist of a local file',
      () => textBytes(`#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${path}\n#EXT-X-ENDLIST\n`),
    ],
    ['an HLS playlist of a URL', () => textBytes(`#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`)],
    ['a list of files for ffmpeg', () => textBytes(`ffconcat version 1.0\nfile '${path}'\n`)],
    [
      'an SVG that includes a file',
      () => textBytes(`<svg xmlns="http://www.w3.org/2000/svg"><image href="file://${path}"/></svg>`),
    ],
    [
      'an SVG with an external entity',
      () => textBytes(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file://${path}">]><svg><text>&x;</text></svg>`),
    ],
    [
      'a script of ImageMagick',
      () => textBytes(`push graphic-context\nimage over 0,0 0,0 'text:${path}'\npop graphic-context\n`),
    ],
    ['a video whose pictures are in another file', () => makeVideoOf(path)],
    [
      'a PDF that includes a file and calls a URL',
      () =>
        pdfOf(
          `<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(${url})>>>>`,
          '<</Type/Pages/Kids[3 0 R]/Count 1>>',
          '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R>>',
          `<</F<</Type/Filespec/F(${path})>>/Length 0>>\nstream\n\nendstream`,
        ),
    ],
  ]
}
