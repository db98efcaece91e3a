import type { Page } from 'playwright-core'
import { callSimulator, carillon, mastodon, testStack, uniqueText, waitUntilFinished } from '../../test-stack.ts'
import type { Screen } from '../rig/screen.ts'

/** The pages of the simulator, which a new person opens after the first post. */
export const screens: readonly Screen[] = [
  {
    name: 'simulator-feed',
    isSignedOut: true,
    async open(page) {
      await publish()
      await openPage(page, '/')
    },
  },
  {
    name: 'simulator-post',
    isSignedOut: true,
    async open(page) {
      await page.goto(await publish())
      await page.getByRole('heading', { name: 'Options that arrived' }).waitFor()
    },
  },
  {
    name: 'simulator-faults',
    isSignedOut: true,
    async open(page) {
      await callSimulator('POST', 'accounts', { platform: 'mastodon', handle: 'bell-tower' })
      await openPage(page, '/faults?platform=mastodon&handle=bell-tower&kind=rate_limit')
    },
  },
]

async function publish(): Promise<string> {
  const text = uniqueText('The tower is open again! https://example.com/tickets')
  const { uploadId } = await carillon.content.createText({ connections: [mastodon], text })
  const { channels } = await waitUntilFinished(uploadId)
  return channels[0]?.result.postUrl ?? ''
}

async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(testStack.simulatorUrl + path)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}
