import { endpoints, roles, type Role } from '@carillon/contract'
import type { Page } from 'playwright-core'

/** What else a page asks of the server: these have no entry in the contract. */
const otherPaths: readonly { path: RegExp; role: Role }[] = [{ path: /^\/integrations\//, role: 'admin' }]

export type RoleWatch = {
  /** The changes that were asked for and need a higher role, since the last time. */
  takeRefused(): string[]
  /** Resolves when the page has been waiting for nothing for a moment. */
  settled(): Promise<void>
}

/**
 * Lets no change reach the server, and notes those that it would refuse to this role. So every control of a page can be pressed, and the
 * page is as it was.
 */
export async function watchRole(page: Page, role: Role): Promise<RoleWatch> {
  const refused: string[] = []
  const waiting = new Set<unknown>()
  page.on('request', (request) => {
    if (!request.url().includes('/live')) waiting.add(request)
  })
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  await page.route('**/*', (route, request) => {
    if (request.method() === 'GET') return route.continue()
    const { pathname } = new URL(request.url())
    const needed = neededRole(request.method(), pathname)
    if (needed && roles.indexOf(needed) < roles.indexOf(role)) refused.push(`${request.method()} ${pathname} needs ${needed}`)
    const error = { code: 'conflict', message: 'Not done: a test.', action: 'none', retryable: false, details: [], traceId: '' }
    return route.fulfill({ status: 409, json: { success: false, error } })
  })
  const settled = async () => {
    let quiet = 0
    for (let tries = 0; tries < 100 && quiet < 2; tries++) {
      await page.waitForTimeout(30)
      quiet = waiting.size === 0 ? quiet + 1 : 0
    }
  }
  return { takeRefused: () => refused.splice(0), settled }
}

function neededRole(method: string, pathname: string): Role | undefined {
  const path = pathname.replace(/^\/api/, '')
  const found = endpoints.find((each) => each.method === method && asPattern(each.path).test(path))
  return found?.role ?? otherPaths.find((other) => other.path.test(pathname))?.role
}

function asPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
}
