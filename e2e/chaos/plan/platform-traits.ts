import { platformTraits, type PlatformTraits } from '@carillon/simulator'

export { postKinds, type PostKind } from '@carillon/simulator'

export type Proof = PlatformTraits['proof']
export type Platform = keyof typeof platformTraits

export const platforms = Object.keys(platformTraits) as Platform[]

export function traitsOf(platform: Platform): PlatformTraits {
  return platformTraits[platform]
}
