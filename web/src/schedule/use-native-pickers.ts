import { useMediaQuery } from '../ui/use-media-query.ts'

/**
 * Whether the fields of the browser are used for a day and a time: on phones that are touched. There they open the pickers of the system,
 * which are made for a thumb, follow its language and its hours, and leave no keyboard over half of the page. Elsewhere they write dates
 * in another form than the rest of the page, and know nothing of the posts.
 */
export function useNativePickers(): boolean {
  return useMediaQuery('(pointer: coarse) and (width < 48rem)')
}
