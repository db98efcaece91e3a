import { ok, warn, type Check } from '../check.ts'

/** Settings that are wrong end the diagnosis before this check: see diagnose.ts. */
export const settings: Check = {
  name: 'settings',
  isQuick: true,
  async run({ unknownSettings }) {
    if (unknownSettings.length === 0) return ok('All settings can be read.')
    return warn(unknownSettings.join(' '), 'Correct or remove them. docs/configuration.md lists all settings.')
  },
}
