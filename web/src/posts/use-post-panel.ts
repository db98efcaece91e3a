import { defaultStringifySearch, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'

declare module '@tanstack/react-router' {
  // The router asks for an interface here: it is merged with its own.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface HistoryState {
    /** The key of the page without the panel, from which the panel was opened. */
    pageKey?: string
  }
}

/** The post in the address, of a page that shows posts in a panel. */
export type PanelSearch = { post?: string }

export function readPanelSearch({ post }: Record<string, unknown>): PanelSearch {
  return typeof post === 'string' && /^[0-9a-f]{24}$/.test(post) ? { post } : {}
}

/** Opens and closes the panel of a post. It is a part of the address: Back closes it, and a reload keeps it. */
export function usePostPanel() {
  const postId = useSearch({ strict: false, select: ({ post }) => post })
  const router = useRouter()
  const navigate = useNavigate()

  const open = useCallback(
    (id: string) => {
      const { pathname, search, state } = router.state.location
      const isOpen = 'post' in search
      // One step of the history for the panel, however many posts are looked at in it.
      const pageKey = isOpen ? state.pageKey : state.__TSR_key
      void navigate({
        href: pathname + defaultStringifySearch({ ...search, post: id }),
        replace: isOpen,
        resetScroll: false,
        state: pageKey === undefined ? {} : { pageKey },
      })
    },
    [router, navigate],
  )
  const close = useCallback(() => {
    const { pathname, search, state } = router.state.location
    if (state.pageKey !== undefined) return router.history.back()
    const { post: _post, ...rest } = search as Record<string, unknown>
    void navigate({ href: pathname + defaultStringifySearch(rest), replace: true, resetScroll: false })
  }, [router, navigate])
  useFocusReturn(postId)
  return { postId, open, close }
}

/** Whether the panel shows this post, so that its entry can be marked. */
export function useIsInPanel(postId: string): boolean {
  return useSearch({ strict: false, select: ({ post }) => post === postId })
}

/** After the panel was closed, the focus is on the entry of the post. It is looked up then: the list may have been loaded again. */
function useFocusReturn(postId: string | undefined): void {
  const shown = useRef(postId)
  useEffect(() => {
    const before = shown.current
    shown.current = postId
    if (before === undefined || postId !== undefined) return
    const frame = requestAnimationFrame(() => {
      const { activeElement, body } = document
      if (activeElement !== null && activeElement !== body) return
      const entry = document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(before)}"] a`)
      ;(entry ?? document.querySelector<HTMLElement>('main h1'))?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [postId])
}

/** Beside the panel, a page has this much space. A grid of seven days needs more of it than a list. */
export const roomBesidePanel = { list: 'min-[80rem]:pr-[35.5rem]', grid: 'min-[90rem]:pr-[35.5rem]' }
