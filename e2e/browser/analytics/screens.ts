import { insertPastPosts, type PastPosts } from '../../support/database/insert-past-posts.ts'
import { post } from '../rig/people.ts'
import { insertSamplePosts } from '../rig/sample-posts.ts'
import type { Screen } from '../rig/screen.ts'
import { morePosts, twelvePosts } from './past-week.fixture.ts'

export const screens: readonly Screen[] = [
  {
    name: 'analytics-empty',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/analytics`)
      await page.getByRole('heading', { level: 2 }).waitFor()
    },
  },
  {
    name: 'analytics-figures',
    async open(page, { workspaceId }) {
      await insertSamplePosts(workspaceId)
      await page.goto(`/w/${workspaceId}/analytics`)
      await page.locator('.recharts-bar-rectangle').first().waitFor()
    },
  },
  {
    name: 'analytics-own-days',
    async open(page, { workspaceId }) {
      await insertSamplePosts(workspaceId)
      await page.goto(`/w/${workspaceId}/analytics?days=own&from=2026-10-01&to=2026-12-31&by=connection`)
      await page.locator('.recharts-bar-rectangle').first().waitFor()
    },
  },
  {
    name: 'analytics-best-times',
    async open(page, { workspaceId }) {
      await insertPastPosts(workspaceId, 'Europe/Berlin', [...twelvePosts, ...morePosts, ...otherHours])
      await page.goto(`/w/${workspaceId}/analytics`)
      await page.locator('section[aria-labelledby=best-times] button').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'analytics-best-times-few',
    async open(page, { workspaceId }) {
      await insertPastPosts(workspaceId, 'Europe/Berlin', twelvePosts)
      await page.goto(`/w/${workspaceId}/analytics`)
      await page.locator('section[aria-labelledby=best-times] progress').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'analytics-best-times-slots',
    async open(page, { workspaceId }) {
      await insertPastPosts(workspaceId, 'Europe/Berlin', [...twelvePosts, ...morePosts])
      await post(page.context(), '/api/queues', { name: 'Main', slots: [{ day: 'tuesday', time: '09:00' }] }, workspaceId)
      await page.goto(`/w/${workspaceId}/analytics`)
      await page.locator('section[aria-labelledby=best-times] button').click()
      await page.getByRole('checkbox').first().waitFor()
    },
  },
]

/** So that the week is as full as after some months. */
const otherHours: readonly PastPosts[] = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
  ['07:30', '09:15', '12:00', '15:20', '18:00', '20:30'].flatMap((time, at) => {
    const weeks = (weekday * 5 + at * 3) % 8
    return weeks === 0 ? [] : [{ weekday, time, weeks, engagement: 6 + ((weekday * 7 + at * 11) % 13) }]
  }),
)
