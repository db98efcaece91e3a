import { describe, expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { fileOf, formOf, makeJpegWithGps, makeMp4, makePdf, makePng } from '../../support/files.ts'
import { createDraft, textBody, unknownId, uploadMedia, type CreatedPost, type MediaItem } from '../../support/posts.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { testStack, uniqueText, waitUntilFinished } from '../../test-stack.ts'

type Page = { results: MediaItem[]; total: number; page: number; limit: number }
const list = (query: string) => callData<Page>(`GET /media?${query}`)
const idsOf = ({ results }: Page) => results.map(({ id }) => id).toSorted()

const picture = makePng(4)
rows(() => uploadMedia(picture, 'Bells at nine.png'), {
  'I 4.2 POST /media/upload': async ({ id }) => {
    expect(id).toMatch(/^[0-9a-f]{24}$/)
    for (const form of [formOf(['other', fileOf(picture, 'a.png')]), formOf(['file', 'no file'])])
      expect((await call('POST /media/upload', { form })).status).toBe(422)
    expect((await call('POST /media/upload', { body: {} })).status).toBe(415)
  },
  'I 2 Media id': ({ id }) => expect(id).toMatch(/^[0-9a-f]{24}$/),
  'I 2 Media name': ({ name }) => expect(name).toBe('Bells at nine.png'),
  'I 2 Media type': ({ type }) => expect(type).toBe('image'),
  'I 2 Media mimeType': ({ mimeType }) => expect(mimeType).toBe('image/png'),
  'I 2 Media sizeBytes': ({ sizeBytes }) => expect(sizeBytes).toBe(picture.length),
  'I 2 Media url': async ({ url }) => {
    const response = await fetch(url)
    expect([response.status, new Uint8Array(await response.arrayBuffer())]).toEqual([200, picture])
    expect(response.headers.get('content-type')).toBe('image/png')
    // A PDF may contain scripts, so it is served as a download.
    const paper = await fetch((await uploadMedia(makePdf(), 'Bells.pdf')).url)
    expect(paper.headers.get('content-disposition')).toMatch(/^attachment; filename="?Bells\.pdf/)
  },
  // This stack stores its files in S3. The same tests for a folder are in folder-store.test.ts.
  'D 7 signed url': async ({ url }) => {
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('3600')
    for (const name of ['X-Amz-Expires', 'X-Amz-Date', 'X-Amz-Signature', 'response-content-type']) {
      const altered = new URL(url)
      const value = altered.searchParams.get(name) ?? ''
      altered.searchParams.set(name, value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)).replace('png', 'html'))
      expect([name, (await fetch(altered)).status]).toEqual([name, 403])
    }
  },
  'D 7 ranges': async ({ url }) => {
    const part = async (range: string) => {
      const response = await fetch(url, { headers: { range } })
      return [response.status, response.headers.get('content-range'), Buffer.from(await response.arrayBuffer())]
    }
    const size = picture.length
    expect(await part('bytes=8-11')).toEqual([206, `bytes 8-11/${size}`, Buffer.from(picture.slice(8, 12))])
    expect(await part('bytes=-4')).toEqual([206, `bytes ${size - 4}-${size - 1}/${size}`, Buffer.from(picture.slice(-4))])
    expect((await part(`bytes=${size}-`))[0]).toBe(416)
  },
  'I 2 Media tags': async ({ id, tags }) => {
    expect(tags).toEqual([])
    const given = ['bells', 'nine o’clock']
    await callData(`PATCH /media/${id}`, { body: { tags: given } })
    expect((await callData<MediaItem>(`GET /media/${id}`))['tags']).toEqual(given)
    expect(await queryDatabase('select tags from media where id = $1', [id])).toEqual([{ tags: given }])
    for (const bad of [[7], 'bells', [null]]) expect((await call(`PATCH /media/${id}`, { body: { tags: bad } })).status).toBe(422)
    expect((await callData<MediaItem>(`GET /media/${id}`))['tags']).toEqual(given)
  },
  'I 2 Media createdAt': ({ createdAt }) => expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
  'D 12 media strings': ({ alt, description }) => expect([alt, description]).toEqual(['', '']),
  'D 7 extra fields': async (item) => {
    expect(item).toMatchObject({ width: 400, height: 400, durationSeconds: null, pages: null, usedBy: [] })
    expect((await fetch(String(item['thumbnailUrl']))).status).toBe(200)
    expect(await uploadMedia(makePdf(), 'p.pdf')).toMatchObject({ pages: 1, type: 'document' })
    expect(await uploadMedia(await makeMp4(), 'c.mp4')).toMatchObject({
      width: 720,
      height: 1280,
      durationSeconds: expect.closeTo(2, 0),
    })
  },
  'I 4.2 GET /media/:id': async ({ id, name }) => expect(await callData(`GET /media/${id}`)).toMatchObject({ id, name }),
  'I 4.2 PATCH /media/:id': async ({ id }) => {
    const body = { alt: 'Bells', description: 'A tower', tags: ['one', 'two'] }
    expect(await callData(`PATCH /media/${id}`, { body })).toMatchObject(body)
    for (const bad of [{ alt: 7 }, { tags: 'one' }, { name: 'other.png' }, { sizeBytes: 1 }])
      expect((await call(`PATCH /media/${id}`, { body: bad })).status).toBe(422)
  },
  'I 2 Media alt': async ({ id }) => {
    await callData(`PATCH /media/${id}`, { body: { alt: 'Other bells' } })
    expect(await callData(`GET /media/${id}`)).toMatchObject({ alt: 'Other bells', description: 'A tower' })
  },
  'I 2 Media description': async ({ id }) => {
    await callData(`PATCH /media/${id}`, { body: { description: 'Other tower' } })
    expect(await callData(`GET /media/${id}`)).toMatchObject({ alt: 'Other bells', description: 'Other tower' })
  },
  'I 4.2 DELETE /media/:id': async ({ id }) => {
    const reply = await call(`DELETE /media/${id}`)
    expect([reply.status, reply.data]).toEqual([200, null])
    expect((await call(`GET /media/${id}`)).status).toBe(404)
  },
})

describe('the library', () => {
  rows(
    async () => {
      const mark = uniqueText('shelf').replace(' ', '-')
      const image = await uploadMedia(makePng(8), `${mark}.png`)
      const paper = await uploadMedia(makePdf(), `${mark}.pdf`)
      await callData(`PATCH /media/${image.id}`, { body: { tags: [`${mark}-a`] } })
      await callData(`PATCH /media/${paper.id}`, { body: { tags: [`${mark}-b`] } })
      return { mark, image: image.id, paper: paper.id }
    },
    {
      'I 4.2 GET /media': async ({ mark }) => {
        const page = await list(`search=${mark}`)
        expect(page).toEqual({ results: expect.any(Array), total: 2, page: 1, limit: 10, nextCursor: null })
      },
      'I 4.2 list search': async ({ mark, image, paper }) => {
        expect(idsOf(await list(`search=${mark}`))).toEqual([image, paper].toSorted())
        expect((await list(`search=${mark}-never`)).results).toEqual([])
      },
      'I 4.2 list type': async ({ mark, image, paper }) => {
        expect(idsOf(await list(`search=${mark}&type=image`))).toEqual([image])
        expect(idsOf(await list(`search=${mark}&type=document`))).toEqual([paper])
        expect(idsOf(await list(`search=${mark}&type=video`))).toEqual([])
        await expect(list('type=opera')).rejects.toThrow('422')
      },
      'I 4.2 list tags': async ({ mark, image, paper }) => {
        expect(idsOf(await list(`tags=${mark}-a`))).toEqual([image])
        expect(idsOf(await list(`tags=${mark}-a,${mark}-b`))).toEqual([image, paper].toSorted())
      },
      'I 4.2 list page and limit': async ({ mark }) => {
        const [first, second] = [await list(`search=${mark}&limit=1`), await list(`search=${mark}&limit=1&page=2`)]
        expect([first.results.length, second.results.length, second.page, first.total]).toEqual([1, 1, 2, 2])
        expect(idsOf(first)).not.toEqual(idsOf(second))
      },
      'I 4.2 POST /media/bulk-delete': async ({ image, paper }) => {
        const answer = await callData('POST /media/bulk-delete', { body: { ids: [image, paper, unknownId] } })
        expect(answer).toMatchObject({ requested: 3, succeeded: 2, failed: [{ id: unknownId, code: 'media_not_found' }] })
        expect((await call(`GET /media/${image}`)).status).toBe(404)
        expect((await call('POST /media/bulk-delete', { body: {} })).status).toBe(422)
      },
    },
  )

  row('D 7 type from bytes', async () => {
    expect(await uploadMedia(makePng(), 'liar.pdf')).toMatchObject({ type: 'image', mimeType: 'image/png' })
    const reply = await call('POST /media/upload', {
      form: formOf(['file', fileOf(new TextEncoder().encode('MZ program'), 'a.png')]),
    })
    expect([reply.status, reply.error.code]).toEqual([415, 'media_type_refused'])
  })

  row('D 7 SVG', async () => {
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const reply = await call('POST /media/upload', { form: formOf(['file', fileOf(svg, 'a.svg', 'image/svg+xml')]) })
    expect([reply.status, reply.error.code]).toEqual([415, 'media_type_refused'])
  })

  row('D 7 media_in_use', async () => {
    const { id } = await uploadMedia(makePng(11), 'used.png')
    await createDraft({ medias: [id] }, 'photos')
    expect((await call(`DELETE /media/${id}`)).error.code).toBe('media_in_use')
    expect((await call(`DELETE /media/${id}?force=true`)).status).toBe(200)
  })

  row('D 7 large uploads', async () => {
    const bytes = makePng(12)
    type Upload = { id: string; partSizeBytes: number; parts: { partNumber: number; url: string }[] }
    const started = await callData<Upload>('POST /media/uploads', { body: { name: 'large.png', sizeBytes: bytes.length } })
    const parts = await Promise.all(
      started.parts.map(async ({ partNumber, url }, n) => {
        const part = bytes.slice(n * started.partSizeBytes, (n + 1) * started.partSizeBytes)
        const response = await fetch(url, { method: 'PUT', body: part })
        expect(response.status).toBe(200)
        return { partNumber, etag: response.headers.get('etag') ?? '' }
      }),
    )
    const made = await callData<MediaItem>(`POST /media/uploads/${started.id}/complete`, { body: { parts } })
    expect(made).toMatchObject({ name: 'large.png', type: 'image', sizeBytes: bytes.length })
    const other = await callData<Upload>('POST /media/uploads', { body: { name: 'never.png', sizeBytes: 10 } })
    expect((await call(`DELETE /media/uploads/${other.id}`)).status).toBe(200)
  })

  row('D 7 GPS', async () => {
    const { bluesky } = testStack.real
    if (!bluesky) throw new Error('the end-to-end run always starts a PDS')
    const photo = await makeJpegWithGps()
    expect(Buffer.from(photo).includes('Exif')).toBe(true)
    const { id } = await uploadMedia(photo, 'here.jpg')
    const body = textBody({ connections: [bluesky.slug], medias: [id] })
    const post = await waitUntilFinished((await callData<CreatedPost>('POST /content/photos', { body })).uploadId)
    expect(post.status).toBe('completed')
    const published = await readBlob(bluesky, post.channels[0]?.result.postId ?? '')
    expect(published.length).toBeGreaterThan(1000)
    expect(published.includes('Exif')).toBe(false)
  })
})

/** The first image of a record, as the platform stores it. */
async function readBlob({ readUrl, did }: { readUrl: string; did: string }, uri: string): Promise<Buffer> {
  const [, , , collection = '', rkey = ''] = uri.split('/')
  const record = await fetch(`${readUrl}/xrpc/com.atproto.repo.getRecord?repo=${did}&collection=${collection}&rkey=${rkey}`)
  const cid = /"\$link":"(\w+)"/.exec(await record.text())?.[1] ?? ''
  const blob = await fetch(`${readUrl}/xrpc/com.atproto.sync.getBlob?did=${did}&cid=${cid}`)
  return Buffer.from(await blob.arrayBuffer())
}
