import type { englishWords } from './english-text.ts'
import type { LegalTexts } from './legal-text.ts'

const listed = (names: readonly string[]) => new Intl.ListFormat('de', { type: 'conjunction' }).format(names)

/** The template in German, sentence by sentence as in English. */
export const germanText: LegalTexts = {
  privacy: ({ name, host, platforms, aiHost, auditDays }) => ({
    title: 'Datenschutz',
    intro: [
      `${name} veröffentlicht Beiträge auf Konten sozialer Plattformen, im Auftrag der Menschen, die diese Konten verbunden haben. Diese ` +
        `Seite sagt, was ${host} dafür speichert, wozu, wie lange, und wie du es löschen lässt.`,
    ],
    sections: [
      {
        heading: 'Was wir speichern',
        items: [
          'Über Menschen, die sich anmelden: Name, E-Mail-Adresse, Sprache und Zeitzone; ein Passwort nur als Hash, der sich nicht ' +
            'zurückrechnen lässt; Passkeys und, verschlüsselt, den zweiten Faktor; ein Protokoll der Anmeldungen und Änderungen am ' +
            'Benutzerkonto mit IP-Adresse und Browser.',
          'Über Arbeitsbereiche: ihre Mitglieder und Einladungen, Beiträge mit Texten, Dateien und Zeiten, das Ergebnis jedes Beitrags und ' +
            'ein Protokoll, wer was geändert hat.',
          'Über Konten, die du verbindest: die Id des Kontos, Benutzername, Anzeigename und Profilbild, die Seiten, auf denen du ' +
            'veröffentlichen darfst, und die Zugangstoken, die verschlüsselt sind.',
          'Von den Plattformen: Id und Adresse jedes veröffentlichten Beitrags und seine Zahlen, etwa wie oft er gesehen, geteilt, ' +
            'kommentiert oder mit „Gefällt mir“ markiert wurde, und wie viele Follower ein verbundenes Konto an jedem Tag hat.',
        ],
      },
      {
        heading: `Daten von ${listed(platforms)}`,
        paragraphs: [
          'Wir nutzen die Erlaubnis, die du auf einer Plattform gibst, nur um die Beiträge, die du hier schreibst, zu veröffentlichen, zu ' +
            'kommentieren und zu löschen, um zu sehen, ob sie erschienen sind, und um dir ihre Zahlen und die Zahl der Follower deiner ' +
            'Konten zu zeigen. Dafür wird die Plattform nach deinem eigenen Konto und deinen eigenen Beiträgen gefragt. Wir lesen keine ' +
            'Nachrichten, keine Kontakte und nicht, wer dir folgt, und speichern nichts über die Menschen, die deine Beiträge sehen.',
        ],
      },
      {
        heading: 'Wer Daten erhält',
        items: [
          'Die Plattformen, auf denen du veröffentlichst, erhalten die Beiträge mit ihren Dateien. Für sie gelten deren eigene Bedingungen ' +
            'und Datenschutzerklärungen.',
          'Programme, die dein Arbeitsbereich als Webhook nennt oder die seine API-Schlüssel nutzen, erhalten, wozu ihr ihnen Zugang gebt.',
          ...(aiHost === null
            ? []
            : [`Wenn du nach Vorschlägen fragst, geht der Text des Beitrags an das Sprachmodell auf ${aiHost}. Sonst nicht.`]),
          'Wir verkaufen keine Daten, zeigen keine Werbung und verfolgen niemanden. Es gibt nur Cookies, die für das Anmelden und das ' +
            'Verbinden eines Kontos nötig sind.',
        ],
      },
      {
        heading: 'Wie lange es bleibt',
        items: [
          'Beiträge, Dateien und Zahlen: bis du sie löschst oder der Arbeitsbereich gelöscht wird.',
          'Verbundene Konten mit ihren Token: bis du sie trennst, und dann bis nichts mehr damit gesendet wird, höchstens 48 Stunden. ' +
            'Kopien von Profilbildern: eine Woche.',
          `Protokolle: ${auditDays === null ? 'bis die Person oder der Arbeitsbereich gelöscht wird' : `${auditDays} Tage, oder bis die Person oder der Arbeitsbereich gelöscht wird`}.`,
          'Dein Benutzerkonto: bis du es löschst. Was du in einem Arbeitsbereich getan hast, bleibt ohne Namen und Adresse in dessen Protokoll.',
          'Sicherungen können gelöschte Daten enthalten, bis sie selbst gelöscht werden.',
        ],
      },
      {
        heading: 'Deine Rechte',
        paragraphs: [
          'Du kannst deine Daten in den Einstellungen ansehen, ändern und löschen, und wer einen Arbeitsbereich verwaltet, kann ' +
            'seinen Inhalt exportieren. Für alles andere, was dir das Gesetz gibt, ' +
            'etwa Auskunft, Widerspruch oder Einschränkung, schreib uns. Du kannst dich auch bei der Datenschutzbehörde an deinem Wohnort ' +
            'beschweren.',
        ],
      },
    ],
  }),
  terms: ({ name, platforms }) => ({
    title: 'Nutzungsbedingungen',
    intro: [`Diese Bedingungen gelten für alle, die ${name} nutzen.`],
    sections: [
      {
        heading: 'Was der Dienst tut',
        paragraphs: [
          `Mit ${name} schreibst und planst du Beiträge und veröffentlichst sie auf Konten, die du verbindest (${listed(platforms)}). Jeder ` +
            'Beitrag zeigt, was auf jedem Konto aus ihm geworden ist.',
        ],
      },
      {
        heading: 'Dein Benutzerkonto',
        items: [
          'Behalte Passwort, Passkeys und API-Schlüssel für dich. Sag uns, wenn jemand anderes sie haben könnte.',
          'Die Inhaber eines Arbeitsbereichs entscheiden, wer dazugehört und was jedes Mitglied darf.',
        ],
      },
      {
        heading: 'Deine Beiträge',
        items: [
          'Was du schreibst und hochlädst, bleibt deins. Wir nutzen es nur, um es dort und dann zu veröffentlichen, wo und wann du es sagst.',
          'Du veröffentlichst auf eigene Verantwortung: Du brauchst die Rechte daran, und es darf kein Gesetz verletzen.',
          'Verbinde nur Konten, die dir gehören oder für die du veröffentlichen darfst. Für Beiträge gelten die Bedingungen der Plattform, ' +
            'auf der sie erscheinen.',
          'Nutze den Dienst nicht für Spam, Täuschung oder Angriffe und nicht, um Grenzen einer Plattform zu umgehen.',
        ],
      },
      {
        heading: 'Was wir nicht versprechen können',
        paragraphs: [
          'Plattformen können Beiträge ablehnen, verzögern oder löschen, ihre Regeln ändern oder nicht erreichbar sein. Wir sagen es ehrlich, ' +
            'wo es geschieht, können es aber nicht verhindern. Die Haftung, die das Gesetz verlangt, schränkt diese Seite nicht ein.',
        ],
      },
      {
        heading: 'Ende',
        paragraphs: [
          'Du kannst Konten und dein Benutzerkonto jederzeit in den Einstellungen trennen und löschen. Wir können ein Benutzerkonto schließen, ' +
            'das diese Bedingungen verletzt. Veröffentlichte Beiträge bleiben auf den Plattformen, bis sie dort gelöscht werden.',
        ],
      },
    ],
  }),
  deletion: ({ name, platforms, askingPlatforms }) => ({
    title: 'Deine Daten löschen',
    intro: [`Du bestimmst, was ${name} über dich und deine Konten behält. Es gibt vier Wege, es löschen zu lassen.`],
    sections: [
      {
        heading: 'Ein Konto trennen',
        paragraphs: [
          `Öffne Integrationen, wähle das Konto (${listed(platforms)}) und trenne es. Was darauf geplant war, wird abgesagt. Token und Name ` +
            'werden gelöscht, sobald nichts mehr damit gesendet wird, höchstens 48 Stunden später, und unsere Kopie des Bildes binnen einer Woche.',
        ],
      },
      {
        heading: 'Die App auf der Plattform entfernen',
        paragraphs: [
          'Jede Plattform zeigt in ihren Einstellungen, welche Apps dein Konto nutzen dürfen. Entferne unsere dort, und unsere Token gelten ' +
            'sofort nicht mehr. Damit auch der Rest gelöscht wird, trenne das Konto zusätzlich hier, oder schreib uns.',
          `${listed(askingPlatforms)} können uns auch deine Anfrage schicken, deine Daten zu löschen. Dann löschen wir Token, Name und Bild ` +
            'deines Kontos sofort, sagen ab, was darauf geplant war, und du bekommst einen Code und die Adresse einer Seite, die sagt, was ' +
            'daraus geworden ist.',
        ],
      },
      {
        heading: 'Dein Benutzerkonto hier löschen',
        paragraphs: [
          'Öffne Einstellungen und dann „Dein Benutzerkonto löschen“. Name, Adresse, Passwörter, Schlüssel und das Protokoll deines Kontos ' +
            'werden sofort gelöscht. Beiträge und verbundene Konten gehören dem Arbeitsbereich: Ein Inhaber löscht sie, oder den ganzen ' +
            'Arbeitsbereich, in dessen Einstellungen.',
        ],
      },
      {
        heading: 'Uns schreiben',
        paragraphs: [
          'Wenn du dich nicht mehr anmelden kannst, oder wenn jemand anderes ein Konto von dir verbunden hat, schreib uns und nenne die ' +
            'Plattform und den Benutzernamen.',
        ],
      },
    ],
  }),
}

export const germanWords: typeof englishWords = {
  contact: 'Kontakt',
  operatedBy: ({ name, host }) => `Diesen Dienst, ${host}, betreibt ${name}.`,
  noContact: 'Der Betreiber hat noch keine Adresse genannt.',
}
