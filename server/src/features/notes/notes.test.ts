import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Note } from '@carillon/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newUuid } from '../../infra/db/ids.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { noteRoutes } from './note.routes.ts'

/** Guarantee: a note is shown on each of its days, in its own workspace only. */

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-notes-'))
  api = await PostApi.start(dir, { routes: [noteRoutes] })
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function makeNote(body: object = {}): Promise<Note> {
  const { data, error } = await api.send<Note>('POST', '/notes', { startsOn: '2027-06-21', text: 'The organ is tuned.', ...body })
  expect(error).toBeUndefined()
  return data
}

const textsOf = async (query: string) => (await api.send<Note[]>('GET', `/notes${query}`)).data.map(({ text }) => text)

test('a note is about one day unless it says until when, and names who wrote it', async () => {
  const note = await makeNote()
  expect(note).toMatchObject({ startsOn: '2027-06-21', endsOn: '2027-06-21', color: 'yellow' })
  expect(note.createdBy).toEqual({ userId: api.personId, name: expect.any(String) })
  const { data: longer } = await api.send<Note>('PATCH', `/notes/${note.id}`, { endsOn: '2027-06-23', color: 'red' })
  expect(longer).toEqual({ ...note, endsOn: '2027-06-23', color: 'red', updatedAt: longer.updatedAt })
  expect((await api.send<Note[]>('GET', '/notes')).data).toEqual([longer])
  expect((await api.send('DELETE', `/notes/${note.id}`)).status).toBe(200)
  expect(await textsOf('')).toEqual([])
  expect((await api.send('DELETE', `/notes/${note.id}`)).error?.code).toBe('note_not_found')
})

test('guarantee: a range has every note that touches one of its days, in the order of the days', async () => {
  await makeNote({ startsOn: '2027-06-10', text: 'one day' })
  await makeNote({ startsOn: '2027-06-01', endsOn: '2027-06-30', text: 'a month' })
  await makeNote({ startsOn: '2027-07-01', text: 'later' })
  expect(await textsOf('?from=2027-06-10&to=2027-06-10')).toEqual(['a month', 'one day'])
  expect(await textsOf('?from=2027-06-11&to=2027-06-12')).toEqual(['a month'])
  expect(await textsOf('?from=2027-06-30')).toEqual(['a month', 'later'])
  expect(await textsOf('?to=2027-05-31')).toEqual([])
})

test('guarantee: each of several notes names the person who wrote it', async () => {
  for (const text of ['first', 'second', 'third']) await makeNote({ text })
  const { system } = api.ctx.db
  const grace = newUuid().slice(0, 24)
  await sql`
    insert into person (id, email, name, created_at)
    values (${grace}, ${`${grace}@example.com`}, 'Grace', now())`.execute(system)
  await sql`
    insert into member (workspace_id, person_id, role, joined_at)
    values (${api.workspaceId}, ${grace}, 'editor', now())`.execute(system)
  await sql`update note set person_id = ${grace} where workspace_id = ${api.workspaceId} and text = 'third'`.execute(system)
  await sql`update person set name = 'Ada' where id = ${api.personId}`.execute(system)
  const { data } = await api.send<Note[]>('GET', '/notes')
  expect(data.map(({ text, createdBy }) => [text, createdBy.name])).toEqual([
    ['first', 'Ada'],
    ['second', 'Ada'],
    ['third', 'Grace'],
  ])
})

test('a note that ends before it begins, has no text or a day that does not exist is refused', async () => {
  for (const body of [{ endsOn: '2027-06-20' }, { text: '' }, { text: 'x'.repeat(501) }, { startsOn: '2027-02-29' }]) {
    const reply = await api.send('POST', '/notes', { startsOn: '2027-06-21', text: 'x', ...body })
    expect(reply.error?.code).toBe('request_invalid')
  }
  const note = await makeNote()
  expect((await api.send('PATCH', `/notes/${note.id}`, { startsOn: '2027-06-22' })).error?.code).toBe('request_invalid')
})

test('guarantee: the notes of another workspace look like unknown ones', async () => {
  const { id } = await makeNote()
  await api.openWorkspace()
  expect(await textsOf('')).toEqual([])
  expect((await api.send('PATCH', `/notes/${id}`, { text: 'x' })).error?.code).toBe('note_not_found')
  expect((await api.send('DELETE', `/notes/${id}`)).error?.code).toBe('note_not_found')
})
