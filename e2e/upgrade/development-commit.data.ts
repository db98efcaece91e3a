/**
 * The version that the drill upgrades from as long as there is no release: the last commit before the migrations 026 to 028, with the same
 * settings, and with jobs that this version must still understand.
 */
export const developmentCommit = 'f4c90abc2a232a3198f1bfcaa2c19b3f1aea5d9a'
