import { platformNames } from '@carillon/connectors/names'

type Named = { platform: string; name: string }

/**
 * A platform as it writes its name: as the server says, and until it has answered as this page knows it. Only a platform of a later release is
 * shown by its code, for that moment.
 */
export function platformNameOf(platforms: readonly Named[] | undefined, platform: string): string {
  const known: Readonly<Record<string, string>> = platformNames
  return platforms?.find((each) => each.platform === platform)?.name ?? known[platform] ?? platform
}
