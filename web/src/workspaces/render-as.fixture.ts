import type { Workspace } from '@carillon/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router'
import i18next from 'i18next'
import { createElement, type FunctionComponent } from 'react'
import { renderToString } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { workspacesList } from '../api/queries.gen.ts'

const id = 'w1'

/** The page `/w/w1/<path>` as a member with this role first sees it. Texts are the names of the translations. */
export async function renderAs(role: Workspace['role'], component: FunctionComponent, path = 'page'): Promise<string> {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: {} })
  const client = new QueryClient()
  const workspace: Partial<Workspace> = { id, role, name: 'Tower', timezone: 'UTC' }
  // The components read no other field.
  client.setQueryData(workspacesList().queryKey, [workspace as Workspace])
  const rootRoute = createRootRoute({ component: Outlet })
  const route = createRoute({ getParentRoute: () => rootRoute, path: `/w/$workspaceId/${path}`, component })
  const history = createMemoryHistory({ initialEntries: [`/w/${id}/${path}`] })
  const router = createRouter({ routeTree: rootRoute.addChildren([route]), history, isServer: true })
  await router.load()
  return renderToString(createElement(QueryClientProvider, { client }, createElement(RouterProvider, { router })))
}
