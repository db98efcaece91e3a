import type { ServerResponse } from 'node:http'
import type { Call } from '../http/call.ts'
import { createRouter } from '../http/create-router.ts'
import type { Reply } from '../http/reply.ts'
import { send } from '../http/send.ts'
import type { Platform } from '../platform.ts'
import { isUsedUp } from '../state/faults.ts'
import type { SimulatorState } from '../state/simulator-state.ts'
import { markup } from '../text/markup.ts'
import { drawAvatar } from './avatar/draw-avatar.ts'
import { faultPages } from './faults/faults.routes.ts'
import { accountPage, overviewPage, platformPage } from './feed-page.ts'
import { assetReply, mediaReply, pictureReply } from './files.ts'
import { icon } from './icon.ts'
import { page, type PageOptions } from './layout.ts'
import type { Page } from './page.ts'
import { pageScript } from './page-script.ts'
import { missingPostPage, postPage } from './post-page.ts'
import { styleSheet } from './style-sheet.ts'

/** The pages for people: feeds, posts, faults, and their files. Returns whether the path belongs to one of these pages. */
export function createPages(
  simulator: SimulatorState,
  platforms: readonly Platform[],
): (call: Call, response: ServerResponse) => boolean {
  const frame = (): Pick<PageOptions, 'activeFaults' | 'notice'> => ({
    activeFaults: simulator.faults.all().filter((rule) => !isUsedUp(rule)).length,
    notice: simulator.storageNotice,
  })
  const match = createRouter([
    ...feedPages(platforms, frame),
    ...faultPages({ simulator, platforms: new Map(platforms.map((platform) => [platform.context.name, platform])) }, frame),
    ...filePages(simulator, platforms),
    ...platforms.flatMap((platform) => publicPages(platform, frame)),
  ])

  return (call, response) => {
    const found = match(call.method, call.path)
    if (!found) return false
    call.params = found.params
    send(response, found.route.answer(call) ?? missingPage(frame()))
    return true
  }
}

type Frame = () => Pick<PageOptions, 'activeFaults' | 'notice'>

function feedPages(platforms: readonly Platform[], frame: Frame): Page[] {
  const byName = new Map(platforms.map((platform) => [platform.context.name, platform]))
  return [
    { method: 'GET', path: '/', answer: (call) => overviewPage(call, platforms, frame()) },
    {
      method: 'GET',
      path: '/feed/:platform',
      answer(call) {
        const platform = byName.get(call.params['platform'] ?? '')
        return platform && platformPage(call, platform, frame())
      },
    },
    {
      method: 'GET',
      path: '/feed/:platform/:handle',
      answer(call) {
        const platform = byName.get(call.params['platform'] ?? '')
        const account = platform?.context.accounts.find(call.params['handle'] ?? '')
        return platform && account && accountPage(call, platform, account, frame())
      },
    },
  ]
}

function filePages(simulator: SimulatorState, platforms: readonly Platform[]): Page[] {
  const style = styleSheet(platforms)
  return [
    { method: 'GET', path: '/style.css', answer: () => assetReply('text/css; charset=utf-8', style) },
    { method: 'GET', path: '/page.js', answer: () => assetReply('text/javascript; charset=utf-8', pageScript) },
    { method: 'GET', path: '/icon.svg', answer: () => assetReply('image/svg+xml', icon) },
    {
      method: 'GET',
      path: '/avatar/:handle.png',
      answer: ({ params }) => pictureReply('image/png', drawAvatar(params['handle'] ?? '')),
    },
    {
      method: 'GET',
      path: '/media/:platform/:id',
      answer(call) {
        const { mime, bytes } = simulator.media.find(call.params['platform'] ?? '', call.params['id'] ?? '') ?? {}
        return mime !== undefined && bytes ? mediaReply(call, { mime, bytes }) : undefined
      },
    },
  ]
}

/** The addresses that a platform gives to posts and accounts. */
function publicPages(platform: Platform, frame: Frame): Page[] {
  const prefix = `/${platform.context.name}`
  const { profile } = platform
  return [
    ...platform.pages.map(({ path, find }): Page => ({
      method: 'GET',
      path: prefix + path,
      answer({ params, query }) {
        // Some addresses name the post in the query.
        const post = find({ ...Object.fromEntries(query), ...params })
        return post ? postPage(platform, post, frame()) : missingPostPage(platform, frame())
      },
    })),
    {
      method: 'GET',
      path: prefix + profile.path,
      answer(call) {
        const account = profile.find(call.params)
        return account && accountPage(call, platform, account, frame())
      },
    },
  ]
}

function missingPage(frame: Pick<PageOptions, 'activeFaults' | 'notice'>): Reply {
  const body = markup`<main class="narrow"><h1>There is nothing here</h1>
<p>No page, account or file has this address.</p><p><a class="button" href="/">Open the feed</a></p></main>`
  return page({ title: 'Nothing here', body, status: 404, ...frame })
}
