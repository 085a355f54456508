// An editor for reward formulas: completion of a world's words, mistakes marked where they are.

import {autocompletion, completionKeymap} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap} from '@codemirror/commands';
import {HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting} from '@codemirror/language';
import {setDiagnostics} from '@codemirror/lint';
import {EditorState} from '@codemirror/state';
import {EditorView, keymap, placeholder, tooltips} from '@codemirror/view';
import {tags} from '@lezer/highlight';

const WORD = /[A-Za-z_][A-Za-z0-9_]*/;
const CHECK_MILLISECONDS = 200;

const LOOK = EditorView.theme({
  '&': {backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line)', borderRadius: '8px', fontSize: '0.95rem'},
  '&.cm-focused': {outline: '2px solid var(--accent)', outlineOffset: '1px'},
  '.cm-content': {fontFamily: 'var(--mono)', padding: '0.55rem 0.35rem', minHeight: '4.4rem', caretColor: 'var(--text)'},
  '.cm-cursor': {borderLeftColor: 'var(--text)'},
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {background: 'var(--accent-soft) !important'},
  '.cm-placeholder': {color: 'var(--faint)'},
  '.cm-tooltip': {background: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)', borderRadius: '8px', boxShadow: 'var(--shadow)'},
  '.cm-tooltip-autocomplete ul li[aria-selected]': {background: 'var(--accent)', color: 'var(--on-accent)'},
  '.cm-completionDetail': {color: 'inherit', fontStyle: 'normal', opacity: 0.75},
  '.cm-completionInfo': {maxWidth: '22rem', padding: '0.4rem 0.6rem'},
  '.cm-diagnostic-error': {borderLeft: '4px solid var(--bad)', padding: '0.3rem 0.6rem'},
  '.cm-matchingBracket': {backgroundColor: 'var(--accent-soft) !important'},
});

const COLOURS = HighlightStyle.define([
  {tag: tags.variableName, color: 'var(--series-3)'},
  {tag: tags.keyword, color: 'var(--series-4)'},
  {tag: tags.atom, color: 'var(--series-2)'},
  {tag: tags.className, color: 'var(--accent)', fontWeight: '600'},
  {tag: tags.number, color: 'var(--series-2)'},
  {tag: tags.operator, color: 'var(--faint)'},
]);

const head = (usage) => usage.split('(')[0];

function completions(words) {
  return [
    ...words.quantities.map(({name, unit, meaning}) =>
      ({label: name, type: 'variable', detail: unit === '1' ? '' : unit, info: meaning, boost: 2})),
    ...words.functions.map(({name, meaning}) =>
      ({label: head(name), type: 'function', detail: name.slice(head(name).length), info: meaning, apply: `${head(name)}(`, boost: 1})),
    ...words.tasks.filter(({formula}) => formula).map(({name, meaning}) =>
      ({label: name, type: 'class', detail: 'task', info: meaning})),
    ...words.constants.map(({name, meaning}) => ({label: name, type: 'constant', info: meaning})),
  ];
}

function language(words) {
  const kinds = new Map([
    ...words.quantities.map(({name}) => [name, 'variableName']),
    ...words.functions.map(({name}) => [head(name), 'keyword']),
    ...words.tasks.map(({name}) => [name, 'className']),
    ...words.constants.map(({name}) => [name, 'atom']),
  ]);
  return StreamLanguage.define({
    token(stream) {
      if (stream.match(/^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/)) {
        return 'number';
      }
      const word = stream.match(/^[A-Za-z_][A-Za-z0-9_]*/);
      if (word) {
        return kinds.get(word[0]) ?? null;
      }
      stream.next();
      return /[-+*/^<>=!&|?:]/.test(stream.current()) ? 'operator' : null;
    },
  });
}

// Once typing pauses, at once where a text was chosen or ended by Enter, `sent` hears it, and `checked` what the server's `check`
// says of it. Whether it is right is not waited for: who is sent a wrong one finds out as well.
export function formulaEditor(parent, {label, words, text = '', check, checked, sent}) {
  const options = completions(words);
  let timer;
  let asking;

  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        bracketMatching(),
        language(words),
        syntaxHighlighting(COLOURS),
        tooltips({position: 'fixed'}),
        autocompletion({override: [complete], icons: false, closeOnBlur: true}),
        // Completions take Enter first where their list is open.
        keymap.of([...completionKeymap, {key: 'Enter', run: () => (now(), true)}, ...defaultKeymap, ...historyKeymap]),
        placeholder('a reward, such as upright * velocity_x'),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({'aria-label': label}),
        EditorView.updateListener.of((update) => update.docChanged && later()),
        LOOK,
      ],
    }),
  });

  function complete(context) {
    const word = context.matchBefore(WORD);
    if (!word && !context.explicit) {
      return null;
    }
    return {from: word ? word.from : context.pos, options, validFor: /^[A-Za-z0-9_]*$/};
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(now, CHECK_MILLISECONDS);
  }

  async function now() {
    clearTimeout(timer);
    const text = view.state.doc.toString();
    sent(text);
    asking?.abort();
    asking = new AbortController();
    try {
      const answer = await check(text, asking.signal);
      mark(answer);
      checked(answer);
    } catch (error) {
      if (error.name !== 'AbortError') {
        checked({error: error.message});
      }
    }
  }

  function mark({error, index}) {
    const length = view.state.doc.length;
    const diagnostics = [];
    if (error && index !== undefined) {
      const from = Math.max(0, Math.min(index, length));
      const word = WORD.exec(view.state.sliceDoc(from));
      const to = word?.index === 0 ? from + word[0].length : Math.min(length, from + 1);
      diagnostics.push({from: Math.min(from, Math.max(0, to - 1)), to, severity: 'error', message: error});
    }
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }

  return {
    text: () => view.state.doc.toString(),
    set(text) {
      view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}});
      now();
    },
    insert(text) {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    focus: () => view.focus(),
    destroy() {
      clearTimeout(timer);
      asking?.abort();
      view.destroy();
    },
  };
}
