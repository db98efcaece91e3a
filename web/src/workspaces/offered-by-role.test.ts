import type { Post, Workspace } from '@carillon/sdk'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { IntegrationsPage } from '../connections/integrations.page.tsx'
import { MediaPage } from '../media/media.page.tsx'
import { PostActions } from '../posts/post-actions.tsx'
import { usePostChanges } from '../posts/use-post-changes.ts'
import { useAccess } from '../settings/use-access.ts'
import { renderAs } from './render-as.fixture.ts'

/** Guarantee: each role is offered what the server would accept from it, and nothing else. */

// The client of the API is made while the modules are loaded, and needs the address of the page.
vi.hoisted(() => vi.stubGlobal('location', new URL('https://carillon.example/')))

const roles = ['owner', 'admin', 'editor', 'viewer'] as const

/** Whether each role finds a text in the page. */
async function findFor(text: string, render: (role: Workspace['role']) => Promise<string>): Promise<Record<string, boolean>> {
  return Object.fromEntries(await Promise.all(roles.map(async (role) => [role, (await render(role)).includes(text)])))
}

const fromEditor = { owner: true, admin: true, editor: true, viewer: false }
const fromAdmin = { owner: true, admin: true, editor: false, viewer: false }

test('whoever may write posts can publish, move and delete them', async () => {
  const scheduledAt = '2027-06-10T07:00:00.000Z'
  const fields = { uploadId: 'post', status: 'scheduled', archived: false, scheduledAt, timezone: null, channels: [] }
  // The buttons read no other field.
  const post = fields as unknown as Post
  const Actions = () => createElement(PostActions, { post, changes: usePostChanges(post), onDeleted: () => {} })
  expect(await findFor('publish.action', (role) => renderAs(role, Actions))).toEqual(fromEditor)
})

test('whoever may change media can upload them', async () => {
  expect(await findFor('fetch.open', (role) => renderAs(role, MediaPage, 'media'))).toEqual(fromEditor)
})

test('admins manage accounts and keys', async () => {
  const page = (role: Workspace['role']) => renderAs(role, IntegrationsPage, 'integrations')
  expect(await findFor('id="api-keys"', page)).toEqual(fromAdmin)
})

test('admins change the settings, and only owners what is left', async () => {
  const Shown = () => {
    const { isAdmin, isOwner } = useAccess()
    return createElement('p', {}, `${isAdmin ? 'administers' : ''} ${isOwner ? 'owns' : ''}`)
  }
  expect(await findFor('administers', (role) => renderAs(role, Shown))).toEqual(fromAdmin)
  expect(await findFor('owns', (role) => renderAs(role, Shown))).toEqual({ ...fromAdmin, admin: false })
})
