import type { PlatformContext } from '../../state/platform-context.ts'

type Community = {
  id: number
  /** Of another server, with its host. */
  name: string
  title: string
  nsfw?: true
  isForModerators?: true
  languages?: readonly number[]
}

export const languages = [
  { id: 0, code: 'und', name: 'Undetermined' },
  { id: 32, code: 'de', name: 'Deutsch' },
  { id: 37, code: 'en', name: 'English' },
]

export const communities: readonly Community[] = [
  { id: 11, name: 'bells', title: 'Bells & Towers' },
  { id: 12, name: 'staff', title: 'Staff', isForModerators: true },
  { id: 13, name: 'glocken', title: 'Glocken', languages: [32] },
  { id: 14, name: 'night', title: 'Night', nsfw: true },
  { id: 15, name: 'towers@far.example', title: 'Towers' },
]

/** Names are unique on their server only. One of this server may have its host too. */
export function findCommunity(context: PlatformContext, name: string | null): Community | undefined {
  const { host } = new URL(context.origin)
  const wanted = (name ?? '').toLowerCase().replace(`@${host}`, '')
  return communities.find((each) => each.name === wanted)
}

export function viewCommunity(context: PlatformContext, { id, name, title, nsfw, isForModerators }: Community) {
  const [local = '', host = new URL(context.origin).host] = name.split('@')
  return {
    id,
    name: local,
    title,
    removed: false,
    deleted: false,
    nsfw: nsfw ?? false,
    actor_id: name.includes('@') ? `https://${host}/c/${local}` : `${context.origin}/c/${local}`,
    local: !name.includes('@'),
    hidden: false,
    posting_restricted_to_mods: isForModerators ?? false,
    visibility: 'Public',
  }
}
