import type { Connection, Media, Post } from '@carillon/sdk'
import { callSimulator } from '../../test-stack.ts'
import { drawPictures } from '../rig/draw-pictures.ts'
import { post, simulatedHandle } from '../rig/people.ts'
import { createPost, dayOfNextMonth, readApi } from '../rig/posts.ts'
import { insertSamplePosts } from '../rig/sample-posts.ts'
import type { Screen } from '../rig/screen.ts'

/** A post that fails on its platform. The fault is only for this account. */
async function failPost(...[page, person]: Parameters<Screen['open']>): Promise<string> {
  const desk = { context: page.context() }
  const { workspaceId } = person
  const text = 'Join us for evensong on Sunday: https://example.com/evensong'
  const fault = await callSimulator('POST', 'faults', {
    platform: 'mastodon',
    handle: simulatedHandle(person),
    operation: 'submit',
    times: 1,
    fault: { kind: 'status', status: 422, body: { error: 'Validation failed: Text is not welcome here' } },
  })
  const id = await createPost(desk, { workspaceId, text, platforms: ['bluesky', 'mastodon', 'threads'] })
  await page.goto(`/w/${workspaceId}/posts/${id}`)
  const articles = page.getByRole('article')
  await articles.filter({ hasText: /not welcome here/ }).waitFor()
  await articles
    .getByText(/^(?:Published|Veröffentlicht)$/)
    .filter({ visible: true })
    .nth(1)
    .waitFor()
  await callSimulator('DELETE', `faults/${fault.id}`).catch(() => {})
  return id
}

export const screens: readonly Screen[] = [
  {
    name: 'posts-empty',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/posts`)
      await page.getByText(/No posts yet|Noch keine/).waitFor()
    },
  },
  {
    name: 'posts',
    async open(page, person) {
      const desk = { context: page.context() }
      const { workspaceId } = person
      for (const at of [1, 2, 3])
        await createPost(desk, {
          workspaceId,
          text: ['Practice night for ringers of all ages', 'Noon concert: Bach, and a surprise', 'Open tower day'][at - 1] ?? '',
          wall: `${dayOfNextMonth(at)}T18:30`,
        })
      await createPost(desk, { workspaceId, text: 'A draft about the new bell', saveDraft: true })
      await createPost(desk, { workspaceId, text: 'Evensong at six', platform: 'bluesky' })
      await page.goto(`/w/${workspaceId}/posts`)
      await page.getByRole('checkbox').nth(2).click()
      await page.getByRole('link', { name: /Evensong at six/ }).waitFor()
    },
  },
  {
    name: 'post-failed',
    async open(page, person) {
      await failPost(page, person)
    },
  },
  {
    name: 'post-published',
    async open(page, { workspaceId }) {
      const text = 'The new bell is in the tower. Come and hear it on Saturday at nine: https://example.com/tower'
      const platforms = ['bluesky', 'mastodon', 'threads']
      const id = await createPost({ context: page.context() }, { workspaceId, text, platforms })
      await page.goto(`/w/${workspaceId}/posts/${id}`)
      await page.getByRole('article').getByRole('link').nth(2).waitFor({ timeout: 30_000 })
    },
  },
  {
    name: 'post-own',
    async open(page, { workspaceId }) {
      const desk = { context: page.context() }
      await page.goto(`/w/${workspaceId}/media`)
      await page.locator('input[type=file]').setInputFiles(await drawPictures(page.context()))
      const readFiles = () => readApi<{ results: Media[] }>(desk, '/media', workspaceId)
      while ((await readFiles()).results.length < 3) await page.waitForTimeout(300)
      const ids = (await readFiles()).results.map(({ id }) => id)
      const connections = await readApi<Connection[]>(desk, `/workspaces/${workspaceId}/connections`, workspaceId)
      const slugOf = (wanted: string) => connections.find(({ platform }) => platform === wanted)?.slug ?? ''
      const body = {
        connections: [slugOf('tiktok'), slugOf('mastodon')],
        text: 'The new bell is in the tower.',
        medias: ids.slice(0, 1),
        platformOptions: {
          [slugOf('tiktok')]: { allowComments: true },
          [slugOf('mastodon')]: { text: 'A new bell!', medias: ids.slice(1, 3), spoiler: 'Loud' },
        },
      }
      await post(page.context(), '/api/content/photos', body, workspaceId)
      await page.goto(`/w/${workspaceId}/posts`)
      await page
        .getByRole('link', { name: /The new bell is in the tower/ })
        .first()
        .click()
      await page
        .getByRole('article', { name: /TikTok/ })
        .locator('svg.lucide-eye-off')
        .waitFor({ timeout: 60_000 })
    },
  },
  {
    name: 'post-unconfirmed',
    async open(page, person) {
      const { workspaceId } = person
      const fault = await callSimulator('POST', 'faults', {
        platform: 'x',
        handle: simulatedHandle(person),
        operation: 'submit',
        times: 1,
        fault: { kind: 'drop_before' },
      })
      const text = 'The new bell is in the tower. Come and hear it on Saturday at nine: https://example.com/tower'
      const platforms = ['bluesky', 'linkedin', 'x']
      const id = await createPost({ context: page.context() }, { workspaceId, text, platforms })
      await page.goto(`/w/${workspaceId}/posts/${id}`)
      // Half a minute: X is asked several times before a person is.
      await page.getByText(/Is it there\?|Ist er da\?/).waitFor({ timeout: 110_000 })
      await callSimulator('DELETE', `faults/${fault.id}`).catch(() => {})
    },
  },
  {
    name: 'post-beside-list',
    async open(page, { workspaceId }) {
      await insertSamplePosts(workspaceId)
      const desk = { context: page.context() }
      const { data } = await readApi<{ data: Post[] }>(desk, '/content?status=partial_failure&limit=1', workspaceId)
      await page.goto(`/w/${workspaceId}/posts?post=${data[0]?.uploadId}`)
      await page.locator('#figures-title').waitFor()
    },
  },
  {
    name: 'post-scheduled',
    async open(page, { workspaceId }) {
      const id = await createPost(
        { context: page.context() },
        { workspaceId, text: 'Open tower day\n\nCome and ring.', wall: `${dayOfNextMonth(9)}T10:00` },
      )
      await page.goto(`/w/${workspaceId}/posts/${id}`)
      await page.getByRole('article').waitFor()
    },
  },
]
