import { expect, test } from 'vitest'
import { queryDatabase } from '../../support/query-database.ts'
import { openDesk } from '../rig/desk.ts'
import { pressOn } from '../rig/keyboard.ts'
import { signInNewPerson } from '../rig/people.ts'

/** What the workers store when a cause is found, and what tells open pages. */
async function insertNotices(workspaceId: string): Promise<void> {
  for (const [id, kind, count, code] of [
    ['6735f0c29b1e8a0012ab5d10', 'posts_failed', 1, 'reconnect_needed'],
    ['6735f0c29b1e8a0012ab5d11', 'posts_failed', 12, 'content_rejected'],
    ['6735f0c29b1e8a0012ab5d12', 'approval_asked', 3, null],
  ] as const) {
    await queryDatabase(
      `insert into notice (workspace_id, id, kind, cause, started, code, count, first_at, last_at)
       values ($1, $2, $3, $2, 1, $4, $5, now(), now())`,
      [workspaceId, id, kind, code, count],
    )
    await queryDatabase(
      `insert into notice_person (workspace_id, notice_id, person_id) select workspace_id, $2, person_id from member where workspace_id = $1`,
      [workspaceId, id],
    )
  }
  await queryDatabase(`insert into outbox_event (workspace_id, event, at) values ($1, 'notice.changed', now())`, [workspaceId])
}

test.each([['desktop'], ['phone']])(
  'guarantee: by keyboard on a %s, the bell counts while the page is open, and a notice leads to where it is mended',
  async (size) => {
    const desk = await openDesk()
    const { page } = desk
    if (size === 'phone') await page.setViewportSize({ width: 390, height: 844 })
    const { workspaceId } = await signInNewPerson(desk)
    // What happens before the page listens is in what it loads.
    const listening = page.waitForResponse((response) => response.url().endsWith('/live'))
    await page.goto(`/w/${workspaceId}/calendar`)
    await listening
    const bell = page.getByRole('button', { name: /^Notices/ }).filter({ visible: true })
    await bell.waitFor()
    await insertNotices(workspaceId)
    await page
      .getByRole('button', { name: /Notices.*3 unread/ })
      .filter({ visible: true })
      .waitFor()
    await pressOn(page, bell)
    const list = page.getByRole('list', { name: 'Notices' })
    await list.getByText('12 posts on an account failed').waitFor()
    await desk.checkBothThemes()
    await pressOn(page, page.getByRole('button', { name: 'Mark as read: Somebody asks you to approve 3 posts' }))
    await page.getByRole('button', { name: 'Mark as read: Somebody asks you to approve 3 posts' }).waitFor({ state: 'detached' })
    await pressOn(page, list.getByRole('link', { name: '1 post on an account failed' }))
    await page.waitForURL(/\/integrations/)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The heading of a new page takes the focus, also from a dialog that is opened before the page is there.
    await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor()
    await pressOn(page, bell)
    await pressOn(page, page.getByRole('button', { name: 'Mark all as read' }))
    await expect.poll(() => list.getByText('Unread').count()).toBe(0)
    await pressOn(page, page.getByRole('link', { name: 'What is mailed' }))
    await page.getByRole('heading', { level: 2, name: 'Notices' }).waitFor()
    await page.getByText('Time of the digest').waitFor()
    await desk.checkBothThemes()
  },
)
