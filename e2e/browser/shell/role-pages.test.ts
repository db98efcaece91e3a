import type { Role } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePng } from '../../support/png.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { openDesk, type Desk } from '../rig/desk.ts'
import { inviteMember, post, signInNewPerson } from '../rig/people.ts'
import { createPost, dayOfNextMonth } from '../rig/posts.ts'
import { pressControls } from '../rig/press-controls.ts'
import { watchRole } from '../rig/role-watch.ts'
import { uploadFiles } from '../media/pictures.fixture.ts'

const sizes = [
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]
/** A person's own settings are the same in every role. */
const own = ['/settings/profile', '/settings/security']

let owner: Desk
let workspaceId = ''
let pages: readonly string[] = []

beforeAll(async () => {
  owner = await openDesk({ isShared: true })
  workspaceId = (await signInNewPerson(owner, { simulated: true })).workspaceId
  const create = (text: string) => createPost(owner, { workspaceId, text, wall: `${dayOfNextMonth(10)}T09:45` })
  const [scheduled, failed, unconfirmed, held] = [
    await create('Evensong'),
    await create('Matins'),
    await create('Vespers'),
    await create('Lauds'),
  ]
  await settle(failed, 'failed', { code: 'rejected_by_platform', message: 'Text is not welcome', action: 'edit_post' })
  await settle(unconfirmed, 'unconfirmed', { code: 'outcome_unknown', message: 'The answer was lost.', action: 'check_platform' })
  await queryDatabase(
    `update channel set error = '{"code": "reconnect_required", "message": "Lost.", "action": "reconnect"}' where post_id = $1`,
    [held],
  )
  const { data } = await post(
    owner.context,
    '/api/webhooks',
    { url: 'https://hooks.example.com/', events: ['upload.failed'] },
    workspaceId,
  )
  await owner.page.goto(`/w/${workspaceId}/media`)
  await uploadFiles(owner.page, [{ name: 'bell.png', mimeType: 'image/png', buffer: Buffer.from(makePng(320, 320, 240)) }])
  pages = [
    '/start',
    `/calendar?day=${dayOfNextMonth(10)}`,
    `/calendar?view=week&day=${dayOfNextMonth(10)}`,
    '/calendar?view=agenda',
    '/compose',
    '/posts',
    ...[scheduled, failed, unconfirmed, held].map((id) => `/posts/${id}`),
    '/media',
    '/analytics',
    '/integrations',
    '/integrations/setup',
    ...['workspace', 'members', 'queue', 'webhooks', 'plan', 'audit'].map((section) => `/settings/${section}`),
    `/settings/webhooks?webhook=${(data as { id: string }).id}`,
    ...own,
  ]
})

afterAll(() => owner.context.close())

/** The owner may do everything, an editor and an admin everything with posts and files; and a person's own settings need no role. */
function canBeRefused(role: Role, address: string): boolean {
  if (role === 'owner' || own.includes(address)) return false
  return role === 'viewer' || !/^\/(?:calendar|compose|posts|media|analytics)/.test(address)
}

/** What is stored when the platform refused, or when its answer was lost. */
async function settle(id: string, state: string, error: object): Promise<void> {
  await queryDatabase(`update channel set state = $2, dispatch_at = null, finished_at = now(), error = $3 where post_id = $1`, [
    id,
    state,
    JSON.stringify(error),
  ])
  await queryDatabase(`update post set status = 'failed' where id = $1`, [id])
}

test.each<Role>(['viewer', 'editor', 'admin', 'owner'])(
  'guarantee: no page fails, scrolls sideways or offers what would be refused at its end (%s)',
  async (role) => {
    // Changes are answered with 409 and never arrive.
    const desk = role === 'owner' ? owner : await openDesk({ expects: [409] })
    const { page } = desk
    if (role !== 'owner') await inviteMember(owner, desk, workspaceId, role)
    await page.goto(`/w/${workspaceId}/settings`)
    const { settled, takeRefused } = await watchRole(page, role)
    const found: string[] = []
    for (const address of pages) {
      // As a link does: loading the app for each page would take most of the time.
      const open = async () => {
        await page.evaluate((to) => history.pushState({}, '', to), `/w/${workspaceId}${address}`)
        await settled()
      }
      await open()
      expect(page.url()).toContain(address)
      for (const size of sizes) {
        await page.setViewportSize(size)
        // What is shown at this size only, such as the list of days on a phone, may have something to load.
        if (size.width < 500) await settled()
        found.push(...(await desk.takeProblems()).map((problem) => `${address} ${size.width}: ${problem}`))
      }
      if (!canBeRefused(role, address)) continue
      await pressControls(page, settled, open)
      found.push(...[...takeRefused(), ...(await desk.takeProblems())].map((problem) => `${address}: ${problem}`))
    }
    expect(found).toEqual([])
  },
  // Each role took 33 to 81 seconds on a machine with ten times more work than cores.
  240_000,
)
