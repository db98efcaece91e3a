import type { Right } from './rights.ts'

/** The texts of the pages on which a person decides about a program. */
const english = {
  title: (name: string) => `Give ${name} access?`,
  whoRegistered: (name: string) => `A program that calls itself “${name}” asks for access. Nobody has checked this name.`,
  whoDocument: (name: string, host: string) => `${name} (${host}) asks for access.`,
  whoOurs: (name: string) => `${name} asks for access.`,
  toHost: (host: string) => `If you allow it, your browser goes on to ${host}.`,
  toComputer:
    'It runs on this computer: your answer goes to a program here, and not to a web site. Allow it only if you started it just now.',
  toApp: (scheme: string) => `If you allow it, your browser opens the app for addresses that begin with ${scheme}`,
  person: (email: string) => `You are signed in as ${email}.`,
  workspace: 'Workspace',
  rights: 'What may it do?',
  right: { read: 'Read', draft: 'Read and draft', publish: 'Read, draft and publish' } satisfies Record<Right, string>,
  note: {
    read: 'Posts, files, accounts and figures of the workspace. It changes nothing.',
    draft: 'It also writes drafts, adds files and submits posts for approval. You publish.',
    publish: 'It also schedules and publishes, without asking you again.',
  } satisfies Record<Right, string>,
  limit:
    'It can never do more than you may do in the workspace. You can end its access at any time under Settings → Connected programs.',
  allow: 'Allow',
  deny: 'Do not allow',
  noWorkspace: 'You are in no workspace, so there is nothing to give access to.',
  wrongRequestTitle: 'This request cannot be trusted',
  wrongClient:
    'The program that sent you here is not known, or it asked for the answer to be sent to an address that is not its own. Nothing was allowed. Close this page and start again in the program.',
  choose: 'Choose a workspace and what the program may do.',
  deviceTitle: 'Connect a program',
  deviceText: 'Enter the code that the program shows you.',
  code: 'Code',
  next: 'Continue',
  codeWrong: 'This code is unknown or has expired. Start again in the program.',
  deviceWarning:
    'Allow it only if you started this program yourself, just now, and it shows the code below. If somebody sent you the code, do not allow it: they would get the access.',
  deviceTime: (minutes: number) =>
    minutes < 1 ? 'It was started less than a minute ago.' : `It was started ${minutes} min ago.`,
  allowedTitle: 'Allowed',
  allowed: 'You can close this page and go on in the program.',
  deniedTitle: 'Not allowed',
  denied: 'The program got no access. You can close this page.',
}

export type ConsentWords = typeof english

const german: ConsentWords = {
  title: (name) => `${name} Zugriff geben?`,
  whoRegistered: (name) => `Ein Programm, das sich „${name}“ nennt, bittet um Zugriff. Diesen Namen hat niemand geprüft.`,
  whoDocument: (name, host) => `${name} (${host}) bittet um Zugriff.`,
  whoOurs: (name) => `${name} bittet um Zugriff.`,
  toHost: (host) => `Wenn du zustimmst, geht dein Browser weiter zu ${host}.`,
  toComputer:
    'Es läuft auf diesem Computer: deine Antwort geht an ein Programm hier und nicht an eine Website. Stimme nur zu, wenn du es gerade selbst gestartet hast.',
  toApp: (scheme) => `Wenn du zustimmst, öffnet dein Browser die App für Adressen, die mit ${scheme} beginnen`,
  person: (email) => `Du bist angemeldet als ${email}.`,
  workspace: 'Arbeitsbereich',
  rights: 'Was darf es tun?',
  right: { read: 'Lesen', draft: 'Lesen und entwerfen', publish: 'Lesen, entwerfen und veröffentlichen' },
  note: {
    read: 'Beiträge, Dateien, Konten und Zahlen des Arbeitsbereichs. Es ändert nichts.',
    draft: 'Es schreibt auch Entwürfe, fügt Dateien hinzu und legt Beiträge zur Freigabe vor. Du veröffentlichst.',
    publish: 'Es plant und veröffentlicht auch, ohne dich noch einmal zu fragen.',
  },
  limit:
    'Es kann nie mehr, als du im Arbeitsbereich darfst. Du kannst den Zugriff jederzeit unter Einstellungen → Verbundene Programme beenden.',
  allow: 'Zustimmen',
  deny: 'Nicht zustimmen',
  noWorkspace: 'Du bist in keinem Arbeitsbereich, also gibt es nichts, worauf du Zugriff geben könntest.',
  wrongRequestTitle: 'Dieser Anfrage ist nicht zu trauen',
  wrongClient:
    'Das Programm, das dich hierher geschickt hat, ist nicht bekannt, oder die Antwort sollte an eine Adresse gehen, die nicht seine ist. Nichts wurde erlaubt. Schließe diese Seite und beginne im Programm von vorn.',
  choose: 'Wähle einen Arbeitsbereich und was das Programm darf.',
  deviceTitle: 'Programm verbinden',
  deviceText: 'Gib den Code ein, den das Programm dir zeigt.',
  code: 'Code',
  next: 'Weiter',
  codeWrong: 'Dieser Code ist unbekannt oder abgelaufen. Beginne im Programm von vorn.',
  deviceWarning:
    'Stimme nur zu, wenn du dieses Programm gerade selbst gestartet hast und es den Code unten zeigt. Hat dir jemand den Code geschickt, stimme nicht zu: Diese Person bekäme den Zugriff.',
  deviceTime: (minutes) =>
    minutes < 1 ? 'Es wurde vor weniger als einer Minute gestartet.' : `Es wurde vor ${minutes} min gestartet.`,
  allowedTitle: 'Zugestimmt',
  allowed: 'Du kannst diese Seite schließen und im Programm weitermachen.',
  deniedTitle: 'Nicht zugestimmt',
  denied: 'Das Programm hat keinen Zugriff bekommen. Du kannst diese Seite schließen.',
}

export const consentWords: Readonly<Record<'en' | 'de', ConsentWords>> = { en: english, de: german }
