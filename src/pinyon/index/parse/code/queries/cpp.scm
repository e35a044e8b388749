; Types and functions

(namespace_definition name: (_) @name body: (_) @body) @namespace
(class_specifier name: (_) @name body: (_) @body) @class
(struct_specifier name: (_) @name body: (_) @body) @struct
(union_specifier name: (_) @name body: (_) @body) @struct
(enum_specifier name: (_) @name body: (_) @body) @enum
(concept_definition name: (_) @name) @concept

(type_definition
  type: [
    (struct_specifier !name body: (_) @body)
    (union_specifier !name body: (_) @body)
  ]
  declarator: (type_identifier) @name) @struct

(template_declaration) @outer

(function_definition
  declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator declarator: (function_declarator declarator: (_) @name))
    (reference_declarator (function_declarator declarator: (_) @name))
    (operator_cast) @name
  ]
  body: (compound_statement) @body) @function

(base_class_clause
  [(type_identifier) (qualified_identifier) (template_type)] @extends)

; What is said of them

(comment) @comment

; Imports

(preproc_include path: (_) @from) @import
(using_declaration) @import

; Calls

(call_expression function: (identifier) @call)

(call_expression
  function: (field_expression argument: (this) field: (field_identifier) @self_call))
