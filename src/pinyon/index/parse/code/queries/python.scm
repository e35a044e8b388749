; Classes and functions

(class_definition
  name: (identifier) @name
  body: (block) @body) @class

(function_definition
  name: (identifier) @name
  body: (block) @body) @function

(decorated_definition) @decorated

(class_definition
  superclasses: (argument_list [(identifier) (attribute) (subscript)] @extends))

; What is said of them

(comment) @comment
(module . (comment)* . (expression_statement (string) @doc))
(block . (expression_statement (string) @doc))

; Imports

(future_import_statement) @import

(import_statement name: (dotted_name) @from) @import

(import_statement
  name: (aliased_import name: (dotted_name) @from alias: (identifier) @alias)) @import

(import_from_statement
  module_name: (_) @from
  name: (dotted_name) @symbol) @import

(import_from_statement
  module_name: (_) @from
  name: (aliased_import name: (dotted_name) @symbol alias: (identifier) @alias)) @import

(import_from_statement
  module_name: (_) @from
  (wildcard_import) @wildcard) @import

; Calls

(call function: (identifier) @call)

(call
  function: (attribute object: (identifier) @_self attribute: (identifier) @self_call)
  (#any-of? @_self "self" "cls"))
