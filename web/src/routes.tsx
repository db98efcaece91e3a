import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { i18n } from 'i18next'
import { currentPerson, signInMethods } from './api/auth.ts'
import { workspacesList } from './api/queries.gen.ts'
import { readCalendarSearch } from './calendar/calendar-search.ts'
import { readPostsSearch } from './posts/posts-search.ts'
import { noteLeft } from './workspaces/came-from.ts'
import { applyStoredPreferences } from './shell/apply-stored-preferences.ts'
import { NotFound } from './shell/not-found.tsx'
import { PageError } from './shell/page-error.tsx'
import { PagePending } from './shell/page-pending.tsx'
import { readLastWorkspace, storeLastWorkspace } from './workspaces/last-workspace.ts'

/** Every address of the app. This file alone imports pages, each when it is first opened. */

type RouterContext = { queryClient: QueryClient; i18n: i18n }

const root = createRootRouteWithContext<RouterContext>()({ notFoundComponent: NotFound })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context: { queryClient } }) => {
    await requirePerson(queryClient, '/')
    const workspaces = await queryClient.ensureQueryData(workspacesList())
    const last = readLastWorkspace()
    const workspace = workspaces.find(({ id }) => id === last) ?? workspaces[0]
    if (!workspace) throw redirect({ to: '/new-workspace' })
    throw redirect({ to: '/w/$workspaceId', params: { workspaceId: workspace.id }, replace: true })
  },
})

// ── Before signing in ──
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  beforeLoad: async ({ context: { queryClient } }) => {
    const { firstRun } = await queryClient.ensureQueryData(signInMethods())
    if (!firstRun) throw redirect({ to: '/sign-in' })
  },
  component: lazyRouteComponent(() => import('./people/welcome.page.tsx'), 'WelcomePage'),
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search) => ({ ...textOf(search, 'next'), ...textOf(search, 'error') }),
  beforeLoad: async ({ context: { queryClient } }) => {
    const { firstRun } = await queryClient.ensureQueryData(signInMethods())
    if (firstRun) throw redirect({ to: '/welcome' })
  },
  component: lazyRouteComponent(() => import('./people/sign-in.page.tsx'), 'SignInPage'),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./people/sign-up.page.tsx'), 'SignUpPage'),
})
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot',
  component: lazyRouteComponent(() => import('./people/forgot.page.tsx'), 'ForgotPage'),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  validateSearch: (search) => textOf(search, 'token'),
  component: lazyRouteComponent(() => import('./people/reset.page.tsx'), 'ResetPage'),
})
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  validateSearch: (search) => textOf(search, 'token'),
  component: lazyRouteComponent(() => import('./people/verify.page.tsx'), 'VerifyPage'),
})
const address = createRoute({
  getParentRoute: () => root,
  path: '/address',
  validateSearch: (search) => textOf(search, 'token'),
  beforeLoad: ({ context: { queryClient }, location }) => requirePerson(queryClient, location.href),
  component: lazyRouteComponent(() => import('./people/address.page.tsx'), 'AddressPage'),
})
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  validateSearch: (search) => textOf(search, 'token'),
  component: lazyRouteComponent(() => import('./people/join.page.tsx'), 'JoinPage'),
})
const newWorkspace = createRoute({
  getParentRoute: () => root,
  path: '/new-workspace',
  beforeLoad: ({ context: { queryClient } }) => requirePerson(queryClient, '/new-workspace'),
  component: lazyRouteComponent(() => import('./workspaces/new-workspace.page.tsx'), 'NewWorkspacePage'),
})

/** Every part of the interface on one page; a build for production does not contain it. */
const development = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/gallery',
        component: lazyRouteComponent(() => import('./gallery/gallery.page.tsx'), 'GalleryPage'),
      }),
    ]
  : []

// ── In a workspace ──
const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId',
  beforeLoad: async ({ context: { queryClient, i18n }, params: { workspaceId }, location }) => {
    await requirePerson(queryClient, location.href)
    const [workspaces] = await Promise.all([
      queryClient.ensureQueryData(workspacesList()),
      applyStoredPreferences(queryClient, i18n),
    ])
    if (!workspaces.some(({ id }) => id === workspaceId)) {
      // The list may be older than the workspace: it was created in another tab, or the person has just joined.
      const fresh = await queryClient.fetchQuery({ ...workspacesList(), staleTime: 0 })
      if (!fresh.some(({ id }) => id === workspaceId)) throw redirect({ to: '/' })
    }
    storeLastWorkspace(workspaceId)
  },
  component: lazyRouteComponent(() => import('./shell/frame.tsx'), 'Frame'),
})
const workspaceHome = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$workspaceId/calendar', params, replace: true })
  },
})
const start = createRoute({
  getParentRoute: () => workspace,
  path: '/start',
  component: lazyRouteComponent(() => import('./workspaces/start.page.tsx'), 'StartPage'),
})
const calendar = createRoute({
  getParentRoute: () => workspace,
  path: '/calendar',
  validateSearch: readCalendarSearch,
  component: lazyRouteComponent(() => import('./calendar/calendar.page.tsx'), 'CalendarPage'),
})
const compose = createRoute({
  getParentRoute: () => workspace,
  path: '/compose',
  // The draft that is being written, and the time that the calendar suggests: `2027-03-28T09:00`.
  validateSearch: (search) => ({ ...textOf(search, 'draft'), ...textOf(search, 'at') }),
  component: lazyRouteComponent(() => import('./compose/compose.page.tsx'), 'ComposePage'),
})
const composeDraft = createRoute({
  getParentRoute: () => workspace,
  path: '/compose/$postId',
  beforeLoad: ({ params: { workspaceId, postId } }) => {
    throw redirect({ to: '/w/$workspaceId/compose', params: { workspaceId }, search: { draft: postId }, replace: true })
  },
})
const posts = createRoute({
  getParentRoute: () => workspace,
  path: '/posts',
  validateSearch: readPostsSearch,
  component: lazyRouteComponent(() => import('./posts/posts.page.tsx'), 'PostsPage'),
})
const post = createRoute({
  getParentRoute: () => workspace,
  path: '/posts/$postId',
  component: lazyRouteComponent(() => import('./posts/post.page.tsx'), 'PostPage'),
})
const series = createRoute({
  getParentRoute: () => workspace,
  path: '/series',
  // The series that a post leads to.
  validateSearch: (search) => textOf(search, 'show'),
  component: lazyRouteComponent(() => import('./series/series.page.tsx'), 'SeriesPage'),
})
const media = createRoute({
  getParentRoute: () => workspace,
  path: '/media',
  validateSearch: (search) => ({
    ...textOf(search, 'type'),
    ...textOf(search, 'tag'),
    ...textOf(search, 'show'),
    ...textOf(search, 'search'),
    ...textOf(search, 'folder'),
    ...textOf(search, 'item'),
  }),
  component: lazyRouteComponent(() => import('./media/media.page.tsx'), 'MediaPage'),
})
const analytics = createRoute({
  getParentRoute: () => workspace,
  path: '/analytics',
  validateSearch: (search) => ({ ...textOf(search, 'days'), ...textOf(search, 'by'), ...textOf(search, 'metric') }),
  component: lazyRouteComponent(() => import('./analytics/analytics.page.tsx'), 'AnalyticsPage'),
})
const integrations = createRoute({
  getParentRoute: () => workspace,
  path: '/integrations',
  validateSearch: (search) => textOf(search, 'connected'),
  component: lazyRouteComponent(() => import('./connections/integrations.page.tsx'), 'IntegrationsPage'),
})
const integrationsAttempt = createRoute({
  getParentRoute: () => workspace,
  path: '/integrations/attempt',
  validateSearch: (search) => ({ ...textOf(search, 'attempt'), ...textOf(search, 'connectError') }),
  component: lazyRouteComponent(() => import('./connections/attempt.page.tsx'), 'AttemptPage'),
})
const integrationsSetup = createRoute({
  getParentRoute: () => workspace,
  path: '/integrations/setup',
  component: lazyRouteComponent(() => import('./connections/setup.page.tsx'), 'SetupPage'),
})
const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings.page.tsx'), 'SettingsPage'),
})
const settingsSection = createRoute({
  getParentRoute: () => workspace,
  path: '/settings/$section',
  validateSearch: (search) => ({
    ...textOf(search, 'webhook'),
    ...textOf(search, 'platform'),
    ...textOf(search, 'action'),
    ...textOf(search, 'person'),
    ...textOf(search, 'from'),
    ...textOf(search, 'to'),
  }),
  component: lazyRouteComponent(() => import('./settings/settings.page.tsx'), 'SettingsPage'),
})

const routeTree = root.addChildren([
  home,
  welcome,
  signIn,
  signUp,
  forgot,
  reset,
  verify,
  address,
  join,
  newWorkspace,
  ...development,
  workspace.addChildren([
    workspaceHome,
    start,
    calendar,
    compose,
    composeDraft,
    posts,
    post,
    series,
    media,
    analytics,
    integrations,
    integrationsAttempt,
    integrationsSetup,
    settings,
    settingsSection,
  ]),
])

export function createAppRouter(queryClient: QueryClient, i18n: i18n) {
  const router = createRouter({
    routeTree,
    context: { queryClient, i18n },
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    defaultPendingComponent: PagePending,
    defaultPendingMs: 300,
    // The data of pages live in the query cache, which decides what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })
  router.subscribe('onBeforeLoad', ({ fromLocation }) => fromLocation && noteLeft(fromLocation))
  return router
}

declare module '@tanstack/react-router' {
  // The router asks for an interface here: it is merged with its own.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

/** Sends everybody who is not signed in to the page where they can do so, and back here afterwards. */
async function requirePerson(queryClient: QueryClient, next: string): Promise<void> {
  const person = await queryClient.ensureQueryData(currentPerson())
  if (person) return
  const { firstRun } = await queryClient.ensureQueryData(signInMethods())
  if (firstRun) throw redirect({ to: '/welcome' })
  throw redirect({ to: '/sign-in', search: next === '/' ? {} : { next } })
}

function textOf<Name extends string>(search: Record<string, unknown>, name: Name): Partial<Record<Name, string>> {
  const value = search[name]
  return typeof value === 'string' || typeof value === 'number' ? ({ [name]: String(value) } as Record<Name, string>) : {}
}
