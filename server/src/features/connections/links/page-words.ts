/** The texts of the pages behind a connect link. `q` puts a name of somebody else in quotation marks; it is HTML already. */
export type PageWords = {
  title(workspace: string): string
  facts: { workspace: string; by: string; platform: string; choose: string; account: string; host: string; until: string }
  allows: string
  passwordStays: string
  onlyIfKnown: string
  server: string
  serverHint: string
  serverOptional(platform: string): string
  fields: Readonly<Record<string, string>>
  optional: string
  continueTo(platform: string): string
  check: string
  going(platform: string): string
  confirmTitle(account: string): string
  confirm: string
  missing(scopes: string): string
  chooseTarget: string
  account: string
  page: string
  connect: string
  cancel: string
  connectedTitle: string
  connected(account: string, workspace: string): string
  cancelledTitle: string
  cancelled: string
  failedTitle: string
  back(host: string): string
  close: string
  again: string
  failures: Readonly<Record<string, string>>
}

const english: PageWords = {
  title: (workspace) => `Connect an account to ${workspace}`,
  facts: {
    workspace: 'Workspace',
    by: 'Asked by',
    platform: 'Platform',
    choose: 'Which platform is your account on?',
    account: 'Account',
    host: 'Server',
    until: 'Link ends',
  },
  allows:
    'The people and programs of this workspace will be able to publish on your account, delete what they published there, and read its ' +
    'figures, until you or they take the permission back.',
  passwordStays: 'You sign in on the platform itself. Your password is not seen here.',
  onlyIfKnown: 'Continue only if you know who asks. The name of the workspace was chosen by them.',
  server: 'Server',
  serverHint: 'Where the account lives, such as social.example.',
  serverOptional: (platform) => `Leave it empty if the account is on the usual server of ${platform}.`,
  fields: {},
  optional: 'optional',
  continueTo: (platform) => `Continue to ${platform}`,
  check: 'Check the account',
  going: (platform) => `You are going to ${platform}.`,
  confirmTitle: (account) => `Connect ${account}?`,
  confirm: 'Nothing is connected yet. Check that this is the account, and the workspace, that you mean.',
  missing: (scopes) => `These permissions were not granted, so some posts may fail: ${scopes}.`,
  chooseTarget: 'Where shall posts be published?',
  account: 'account',
  page: 'page',
  connect: 'Connect',
  cancel: 'Cancel',
  connectedTitle: 'Connected',
  connected: (account, workspace) => `${workspace} can publish as ${account} now.`,
  cancelledTitle: 'Not connected',
  cancelled: 'Nothing was connected. The link can still be used.',
  failedTitle: 'Not connected',
  back: (host) => `Back to ${host}`,
  close: 'You can close this page.',
  again: 'Try again',
  failures: {
    connect_link_not_found: 'This link is not complete, or nobody made it. Ask the person who gave it to you for a new one.',
    connect_link_ended:
      'This link was used, has expired or was revoked. Ask the person who gave it to you for a new one. Nothing was connected.',
    attempt_not_found:
      'An account is connected in the browser in which you agreed on the platform, within ten minutes. Open the link again.',
    connect_expired: 'This took longer than ten minutes, or was finished before. Open the link again.',
    connect_account_differs:
      'This is not the account that is to be reconnected. Sign in on the platform with the other one, and try again.',
    external_id_taken:
      'This account is connected to the workspace already, for somebody else. Ask the person who gave you the link.',
    target_unknown: 'Choose where posts shall be published.',
    rate_limited: 'Too many attempts. Wait a few minutes and try again.',
    url_refused: 'This server cannot be used.',
    unavailable: 'The platform did not respond. Try again in a moment.',
  },
}

const german: PageWords = {
  title: (workspace) => `Ein Konto mit ${workspace} verbinden`,
  facts: {
    workspace: 'Arbeitsbereich',
    by: 'Darum bittet',
    platform: 'Plattform',
    choose: 'Auf welcher Plattform ist dein Konto?',
    account: 'Konto',
    host: 'Server',
    until: 'Link gilt bis',
  },
  allows:
    'Die Personen und Programme dieses Arbeitsbereichs können dann auf deinem Konto veröffentlichen, dort löschen, was sie veröffentlicht haben, ' +
    'und seine Zahlen lesen, bis du oder sie die Erlaubnis zurücknehmen.',
  passwordStays: 'Du meldest dich auf der Plattform selbst an. Dein Passwort ist hier nicht zu sehen.',
  onlyIfKnown: 'Mach nur weiter, wenn du weißt, wer darum bittet. Den Namen des Arbeitsbereichs hat diese Person gewählt.',
  server: 'Server',
  serverHint: 'Der Server des Kontos, zum Beispiel social.example.',
  serverOptional: (platform) => `Leer lassen, wenn das Konto auf dem üblichen Server von ${platform} liegt.`,
  fields: {
    identifier: 'Handle oder E-Mail-Adresse',
    username: 'Benutzername',
    password: 'App-Passwort',
    accountPassword: 'Passwort oder Token einer Sitzung',
    community: 'Community',
    apiKey: 'API-Schlüssel',
    botToken: 'Token des Bots',
    chat: 'Kanal oder Gruppe',
    token: 'Token des Bots',
    channel: 'Link des Kanals',
    secret: 'Geheimnis',
    adminKey: 'Admin-API-Schlüssel',
    secretKey: 'Geheimer Schlüssel',
    relays: 'Weitere Relays',
    mediaServer: 'Medienserver',
  },
  optional: 'freiwillig',
  continueTo: (platform) => `Weiter zu ${platform}`,
  check: 'Konto prüfen',
  going: (platform) => `Es geht weiter zu ${platform}.`,
  confirmTitle: (account) => `${account} verbinden?`,
  confirm: 'Noch ist nichts verbunden. Prüfe, ob das Konto und der Arbeitsbereich die sind, die du meinst.',
  missing: (scopes) => `Diese Rechte wurden nicht erteilt, darum können manche Beiträge scheitern: ${scopes}.`,
  chooseTarget: 'Wo soll veröffentlicht werden?',
  account: 'Konto',
  page: 'Seite',
  connect: 'Verbinden',
  cancel: 'Abbrechen',
  connectedTitle: 'Verbunden',
  connected: (account, workspace) => `${workspace} kann jetzt als ${account} veröffentlichen.`,
  cancelledTitle: 'Nicht verbunden',
  cancelled: 'Es wurde nichts verbunden. Der Link kann noch benutzt werden.',
  failedTitle: 'Nicht verbunden',
  back: (host) => `Zurück zu ${host}`,
  close: 'Du kannst diese Seite schließen.',
  again: 'Noch einmal versuchen',
  failures: {
    connect_link_not_found:
      'Dieser Link ist nicht vollständig, oder es gibt ihn nicht. Bitte die Person, von der du ihn hast, um einen neuen.',
    connect_link_ended:
      'Dieser Link wurde benutzt, ist abgelaufen oder wurde widerrufen. Bitte die Person, von der du ihn hast, um einen neuen. Es wurde nichts verbunden.',
    attempt_not_found:
      'Ein Konto wird in dem Browser verbunden, in dem du auf der Plattform zugestimmt hast, innerhalb von zehn Minuten. Öffne den Link noch einmal.',
    connect_expired: 'Das hat länger als zehn Minuten gedauert oder war schon erledigt. Öffne den Link noch einmal.',
    connect_account_differs:
      'Das ist nicht das Konto, das neu verbunden werden soll. Melde dich auf der Plattform mit dem anderen an und versuche es noch einmal.',
    connect_refused: 'Die Plattform hat nicht zugestimmt.',
    external_id_taken:
      'Dieses Konto ist mit dem Arbeitsbereich schon verbunden, für jemand anderen. Frag die Person, von der du den Link hast.',
    target_unknown: 'Wähle, wo veröffentlicht werden soll.',
    rate_limited: 'Zu viele Versuche. Warte einige Minuten und versuche es noch einmal.',
    url_refused: 'Dieser Server kann nicht benutzt werden.',
    unavailable: 'Die Plattform hat nicht geantwortet. Versuche es gleich noch einmal.',
    request_invalid: 'Etwas fehlt noch oder stimmt nicht.',
    platform_not_configured: 'Diese Plattform ist hier noch nicht eingerichtet.',
  },
}

export const pageWords = { en: english, de: german }
