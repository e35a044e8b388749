; Classes and functions

(class_declaration
  name: (_) @name
  body: (class_body) @body) @class

(export_statement
  value: (class !name body: (class_body) @body)) @class

(variable_declarator
  name: (identifier) @name
  value: (class body: (class_body) @body)) @class

(function_declaration
  name: (identifier) @name
  body: (statement_block) @body) @function

(generator_function_declaration
  name: (identifier) @name
  body: (statement_block) @body) @function

(export_statement
  value: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
  ]) @function

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @function

(class_body
  (method_definition
    name: (_) @name
    body: (statement_block) @body) @method)

(class_body
  (field_definition
    property: (_) @name
    value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
    ]) @method)

; Thing.prototype.method = function () {}

(expression_statement
  (assignment_expression
    left: (member_expression
      object: (member_expression
        object: (identifier) @owner
        property: (property_identifier) @_prototype)
      property: (property_identifier) @name)
    right: [
      (function_expression body: (_) @body)
      (arrow_function body: (_) @body)
    ])
  (#eq? @_prototype "prototype")) @method

; exports.name = function () {}, module.exports.name = function () {}

(expression_statement
  (assignment_expression
    left: (member_expression
      object: [
        (identifier) @_exports
        (member_expression property: (property_identifier) @_exports)
      ]
      property: (property_identifier) @name)
    right: [
      (function_expression body: (_) @body)
      (arrow_function body: (_) @body)
    ])
  (#eq? @_exports "exports")) @function

(export_statement) @outer
(lexical_declaration) @outer
(variable_declaration) @outer
(export_statement "default") @default
(export_statement value: (identifier) @default_name)

(class_declaration (class_heritage [(identifier) (member_expression)] @extends))

; What is said of them

(comment) @comment

; Imports

(import_statement !source) @import
(import_statement source: (string) @from) @import
(export_statement source: (string) @from) @import

(import_statement
  (import_clause (identifier) @default_alias)
  source: (string) @from) @import

(import_statement
  (import_clause (namespace_import (identifier) @alias))
  source: (string) @from) @import

(import_statement
  (import_clause (named_imports (import_specifier name: (_) @symbol !alias)))
  source: (string) @from) @import

(import_statement
  (import_clause (named_imports (import_specifier name: (_) @symbol alias: (_) @alias)))
  source: (string) @from) @import

(export_statement
  (export_clause (export_specifier name: (_) @symbol))
  source: (string) @from) @import

(variable_declarator
  name: [
    (identifier) @alias
    (object_pattern (shorthand_property_identifier_pattern) @symbol)
    (object_pattern (pair_pattern
      key: (property_identifier) @symbol
      value: (identifier) @alias))
  ]
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @from))
  (#eq? @_require "require")) @import

(call_expression
  function: [(identifier) (import)] @_require
  arguments: (arguments . (string) @from)
  (#any-of? @_require "require" "import")) @import

; Calls

(call_expression function: (identifier) @call)
(new_expression constructor: (identifier) @call)

(call_expression
  function: (member_expression
    object: (this)
    property: [(property_identifier) (private_property_identifier)] @self_call))
