import { platforms, traitsOf, type Platform, type PostKind, type Proof } from './platform-traits.ts'

/** `careful` is a workspace that holds late posts. */
export type Workspace = 'eager' | 'careful'

/** One of a seed's accounts: the workspace it is connected to, the platform, and which of that platform's accounts. */
export type Slot = { workspace: Workspace; platform: Platform; index: number }

/** `usual` leaves out the platforms whose posts take long until they are at rest. */
export type Reach = 'usual' | 'all'

function slotsOn(some: readonly Platform[]): Slot[] {
  return some.flatMap((platform) =>
    Array.from({ length: traitsOf(platform).accounts }, (_, index): Slot => ({ workspace: 'eager', platform, index })),
  )
}

const isLeftOut = (platform: Platform) => traitsOf(platform).isLeftOut === true
export const eagerSlots: Slot[] = slotsOn(platforms.filter((platform) => !isLeftOut(platform)))
export const leftOutSlots: Slot[] = slotsOn(platforms.filter(isLeftOut))

export const carefulSlots: Slot[] = [
  { workspace: 'careful', platform: 'bluesky', index: 0 },
  { workspace: 'careful', platform: 'x', index: 0 },
]

/** Accounts that get no fault of their own: what is published on them must be on time. */
export const calmSlots: Slot[] = [
  { workspace: 'eager', platform: 'mastodon', index: 9 },
  { workspace: 'eager', platform: 'x', index: 9 },
]

/** One account of each of these platforms is connected in both workspaces. Posts with equal words are published on it. */
const sharedIndex = 5
const sharedPlatforms = ['x', 'mastodon'] as const
export const sharedSlots: Slot[] = sharedPlatforms.flatMap((platform) =>
  (['eager', 'careful'] as const).map((workspace): Slot => ({ workspace, platform, index: sharedIndex })),
)

/** The accounts that faults and ordinary posts choose from. */
export const ownSlots: Slot[] = [...eagerSlots, ...carefulSlots, ...calmSlots]
const usualSlots: Slot[] = [...ownSlots, ...sharedSlots]

/** Every account of a seed. */
export function slotsOf(reach: Reach): Slot[] {
  return reach === 'all' ? [...usualSlots, ...leftOutSlots] : usualSlots
}

export function isShared({ index }: Slot): boolean {
  return index === sharedIndex
}

/** Whether both are connections to one account. */
export function isSameAccount(a: Slot, b: Slot): boolean {
  return isSameSlot(a, b) || (isShared(a) && isShared(b) && a.platform === b.platform)
}

export function isSameSlot(a: Slot, b: Slot): boolean {
  return a.workspace === b.workspace && a.platform === b.platform && a.index === b.index
}

/** The accounts that a post of this kind can be published to. */
export function slotsFor(kind: PostKind): Slot[] {
  return eagerSlots.filter(({ platform }) => traitsOf(platform).kinds.includes(kind))
}

/** The second account of LinkedIn is a page. */
export function isPage({ platform, index }: Slot): boolean {
  return platform === 'linkedin' && index === 1
}

export function proofOf(slot: Slot): Proof {
  return slot.platform === 'linkedin' && !isPage(slot) ? 'none' : traitsOf(slot.platform).proof
}
