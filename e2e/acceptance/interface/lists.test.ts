import type { Post } from '@carillon/sdk'
import { expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { callData } from '../../support/call.ts'
import { makePng } from '../../support/files.ts'
import { createDraft, createScheduled, dayMs, uploadMedia } from '../../support/posts.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { bluesky, mastodon, testStack, timeAfter, uniqueText, x } from '../../test-stack.ts'

type Page = { data: Post[]; meta: { total: number; page: number; limit: number; totalPages: number; nextCursor: string | null } }
const list = (query = '') => callData<Page>(`GET /content?${query}`)
const idsOf = ({ data }: Page) => data.map(({ uploadId }) => uploadId)
const day = (offset: number) => timeAfter(offset * dayMs).slice(0, 10)

rows(
  async () => {
    await Promise.all(Array.from({ length: 11 }, () => createDraft()))
    return list()
  },
  {
    'I 4.1 GET /content': async () => {
      // Compared with the database: a list that left something out would agree with itself.
      const stored = await queryDatabase<{ id: string; text: string | null; status: string }>(
        `select id, text, status from post where workspace_id = $1 and archived_at is null order by created_at desc, id desc`,
        [testStack.workspaceId],
      )
      const pages = [await list('limit=7'), await list('limit=7&page=2')]
      expect(pages.map(({ meta }) => meta.total)).toEqual([stored.length, stored.length])
      expect(pages.flatMap(({ data }) => data.map(({ uploadId, text, status }) => [uploadId, text, status]))).toEqual(
        stored.slice(0, 14).map(({ id, text, status }) => [id, text, status]),
      )
    },
    'I 4.1 list answer': ({ data, meta }) => {
      const { total, page, limit, totalPages } = meta
      expect([data.length, page, limit, totalPages]).toEqual([10, 1, 10, Math.ceil(total / 10)])
      expect(total).toBeGreaterThan(10)
    },
    'I 4.1 list page': async ({ meta, data }) => {
      expect(meta.page).toBe(1)
      const second = await list('page=2')
      expect(second.meta.page).toBe(2)
      expect(idsOf(second).some((id) => data.some(({ uploadId }) => uploadId === id))).toBe(false)
    },
    'I 4.1 list limit': async ({ meta }) => {
      expect(meta.limit).toBe(10)
      expect((await list('limit=3')).data).toHaveLength(3)
    },
    'I 8 page default': ({ meta }) => expect(meta.page).toBe(1),
    'I 8 page size default': ({ data }) => expect(data).toHaveLength(10),
    'I 8 page size maximum': async () => {
      expect((await list('limit=100')).meta.limit).toBe(100)
      await expect(list('limit=101')).rejects.toThrow('422')
    },
    'D 6 newest first': ({ data }) => {
      const times = data.map(({ createdAt }) => createdAt)
      expect(times).toEqual(times.toSorted().toReversed())
    },
    'D 6 beyond the last': async () => {
      const page = await list('page=100000')
      expect([page.data, page.meta.page]).toEqual([[], 100_000])
    },
    'D 6 cursor': async () => {
      const first = await list('limit=4&status=draft')
      const second = await list(`limit=4&status=draft&cursor=${first.meta.nextCursor}`)
      expect([...idsOf(first), ...idsOf(second)]).toEqual(idsOf(await list('limit=8&status=draft')))
      const all: string[] = []
      for (let page = await list('limit=100'); ; page = await list(`limit=100&cursor=${page.meta.nextCursor}`)) {
        all.push(...idsOf(page))
        if (page.meta.nextCursor === null) break
      }
      const { total } = (await list()).meta
      expect([all.length, new Set(all).size]).toEqual([total, total])
    },
  },
)

/** Posts of every kind. Each filter must find the posts that match it, and no others. */
rows(
  async () => {
    const mark = uniqueText('find me')
    const word = mark.split(' ').at(-1) ?? ''
    const picture = await uploadMedia(makePng(3), 'list.png')
    return {
      word,
      text: await createDraft({ text: mark, connections: [bluesky] }),
      other: await createDraft({ text: mark, connections: [x] }),
      photo: await createDraft({ text: mark, connections: [mastodon], medias: [picture.id] }, 'photos'),
      later: await createScheduled({ text: mark, scheduledAt: timeAfter(200 * dayMs) }),
    }
  },
  {
    'D 6 search': async ({ word, text, other, photo, later }) =>
      expect(idsOf(await list(`search=${word}`)).toSorted()).toEqual([text, other, photo, later].toSorted()),
    'I 4.1 list status': async ({ word, later }) => expect(idsOf(await list(`search=${word}&status=scheduled`))).toEqual([later]),
    'I 4.1 list platform': async ({ word, other }) => expect(idsOf(await list(`search=${word}&platform=x`))).toEqual([other]),
    'I 4.1 list type': async ({ word, photo }) => {
      expect(idsOf(await list(`search=${word}&type=photo`))).toEqual([photo])
      expect(idsOf(await list(`search=${word}&type=text`))).toHaveLength(3)
      for (const type of ['video', 'document']) expect(idsOf(await list(`search=${word}&type=${type}`))).toEqual([])
    },
    'I 4.1 list from and to': async ({ word }) => {
      expect(idsOf(await list(`search=${word}&from=${day(-1)}&to=${day(1)}`))).toHaveLength(3)
      expect(idsOf(await list(`search=${word}&to=${day(-1)}`))).toEqual([])
    },
    'D 6 from and to': async ({ word, later }) =>
      expect(idsOf(await list(`search=${word}&from=${day(200)}&to=${day(200)}`))).toEqual([later]),
    'D 6 comma lists': async ({ word }) => {
      expect(idsOf(await list(`search=${word}&status=draft,scheduled`))).toHaveLength(4)
      expect(idsOf(await list(`search=${word}&platform=x,mastodon`))).toHaveLength(2)
      expect(idsOf(await list(`search=${word}&type=photo,text`))).toHaveLength(4)
    },
  },
)

row('I 1 platform names', async () => {
  const { data } = await list(`platform=bluesky&limit=1`)
  expect(data[0]?.channels.map(({ platform }) => platform)).toContain('bluesky')
  await expect(list('platform=Bluesky')).rejects.toThrow('422')
})
