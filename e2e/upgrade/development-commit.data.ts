/**
 * The version that the drill upgrades from as long as there is no release: the last commit before the migrations 067 to 075, which does not know
 * DEV. An older one would meet a simulator that is less kind than the one that its connectors were written for.
 */
export const developmentCommit = '0402b0380f3c56d25c7425898e9c7aa35b2e7332'
